// Threads that share out the tasks of one batch after the other.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tabia::mcts {

class Crew {
  public:
    // `threads` in all, the caller's own among them. Throws std::system_error if they cannot be had.
    explicit Crew(int threads) {
        try {
            for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
        } catch (...) {
            stop();
            throw;
        }
    }
    ~Crew() { stop(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Does task(0) .. task(n - 1), in any order, and returns when all are done. Throws what one of
    // them has thrown.
    void run(int n, const std::function<void(int)>& task) {
        task_ = &task;
        size_ = n;
        next_.store(0, std::memory_order_relaxed);
        busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
        batch_.fetch_add(1, std::memory_order_release);
        batch_.notify_all();
        take();
        for (int busy; (busy = busy_.load(std::memory_order_acquire));) busy_.wait(busy);
        if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
    }

  private:
    void work() {
        for (unsigned seen = 0;;) {
            batch_.wait(seen, std::memory_order_acquire);
            ++seen;  // no batch begins before this worker has ended the one before
            if (is_over_.load(std::memory_order_acquire)) return;
            take();
            if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
        }
    }

    void take() {
        for (int i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < size_;) {
            try {
                (*task_)(i);
            } catch (...) {
                const std::lock_guard lock(guard_);
                if (!fault_) fault_ = std::current_exception();
            }
        }
    }

    void stop() {
        is_over_.store(true, std::memory_order_release);
        batch_.fetch_add(1, std::memory_order_release);
        batch_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    const std::function<void(int)>* task_ = nullptr;
    int size_ = 0;
    std::atomic<int> next_{0}, busy_{0};
    std::atomic<unsigned> batch_{0};
    std::atomic<bool> is_over_{false};
    std::mutex guard_;
    std::exception_ptr fault_;
    std::vector<std::thread> workers_;
};

}  // namespace tabia::mcts
