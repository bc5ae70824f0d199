// Memory of one tree: handed out in order, given back all at once.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tabia::mcts {

class Arena {
  public:
    // Room for `count` values, not initialised. T must need no destructor.
    template <typename T>
    T* allocate(std::size_t count) {
        return static_cast<T*>(take(count * sizeof(T)));
    }

    // Forgets everything; the memory is kept for what comes next.
    void clear() {
        chunk_ = 0;
        used_ = 0;
        held_ = 0;
    }

    // Bytes handed out since the last `clear`.
    std::size_t held() const { return held_; }

    void swap(Arena& other) {
        std::swap(chunks_, other.chunks_);
        std::swap(chunk_, other.chunk_);
        std::swap(used_, other.used_);
        std::swap(held_, other.held_);
    }

  private:
    // A first chunk is small, because hundreds of games may be searched at once.
    static constexpr std::size_t FIRST = 1 << 15, LARGEST = 1 << 21, ALIGNMENT = 8;
    struct Chunk {
        std::unique_ptr<std::byte[]> memory;
        std::size_t size;
    };

    void* take(std::size_t bytes) {
        bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        while (chunk_ < chunks_.size() && used_ + bytes > chunks_[chunk_].size) {
            ++chunk_;
            used_ = 0;
        }
        if (chunk_ == chunks_.size()) {
            std::size_t size = chunks_.empty() ? FIRST : chunks_.back().size * 2;
            if (size > LARGEST) size = LARGEST;
            if (size < bytes) size = bytes;
            chunks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
            used_ = 0;
        }
        void* place = chunks_[chunk_].memory.get() + used_;
        used_ += bytes;
        held_ += bytes;
        return place;
    }

    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0, used_ = 0, held_ = 0;
};

}  // namespace tabia::mcts
