"""The formulas of the native search, one by one, and its random numbers."""

import numpy as np

from libc.stdint cimport uint32_t, uint64_t
from libcpp.vector cimport vector


cdef extern from "mcts/numbers.hpp" namespace "tabia::mcts" nogil:
    double log_of(double) noexcept
    double exp_of(double) noexcept

    cdef cppclass Random:
        Random(uint64_t)
        double uniform() noexcept
        double gumbel() noexcept
        double normal() noexcept
        double log_gamma_variate(double) noexcept


cdef extern from "mcts/formulas.hpp" namespace "tabia::mcts" nogil:
    double c_puct_rate "tabia::mcts::puct_rate"(double, double, double) noexcept
    double c_puct_score "tabia::mcts::puct_score"(double, double, double, double) noexcept
    double c_go_player_score "tabia::mcts::go_player_score"(
        double, double, double, double, double, double, double) noexcept
    double c_go_player_choice "tabia::mcts::go_player_choice"(double, double) noexcept
    double c_gumbel_sigma "tabia::mcts::gumbel_sigma"(double, double, double, double) noexcept
    double c_gumbel_mixed_value "tabia::mcts::gumbel_mixed_value"(
        double, double, double, double) noexcept
    vector[uint32_t] c_halving_schedule "tabia::mcts::halving_schedule"(
        uint32_t, uint32_t) except +


def log(double x):
    if not 0 < x < float("inf"):
        raise ValueError(f"the logarithm of {x}")
    return log_of(x)


def exp(double x):
    return exp_of(x)


def puct(double q, double prior, double visits, double parent_visits, *,
         double c_init=1.25, double c_base=19652.0):
    cdef double rate = c_puct_rate(parent_visits, c_base, c_init) * parent_visits**0.5
    return c_puct_score(q, prior, visits, rate)


def go_player(double win_rate, double prior, double visits, double total, *,
              double c=1.0, double temperature=1.0, double visit_floor=1.0):
    return c_go_player_score(win_rate, prior, visits, c, temperature, total**0.5, visit_floor)


def go_player_choice(double win_rate, double prior):
    return c_go_player_choice(win_rate, prior)


def gumbel_sigma(double win_rate, double most_visits, *, double c_visit=50.0, double c_scale=1.0):
    return c_gumbel_sigma(win_rate, most_visits, c_visit, c_scale)


def gumbel_mixed_value(double own, double sum_visits, double visited_prior, double prior_times_q):
    return c_gumbel_mixed_value(own, sum_visits, visited_prior, prior_times_q)


def halving_schedule(uint32_t considered, uint32_t simulations):
    return list(c_halving_schedule(considered, simulations))


def draws(str kind, uint64_t seed, int n, *, double alpha=1.0):
    cdef Random* random = new Random(seed)
    cdef int i
    out = np.empty(n)
    cdef double[::1] view = out
    try:
        for i in range(n):
            if kind == "uniform":
                view[i] = random.uniform()
            elif kind == "normal":
                view[i] = random.normal()
            elif kind == "gumbel":
                view[i] = random.gumbel()
            elif kind == "log_gamma":
                view[i] = random.log_gamma_variate(alpha)
            else:
                raise ValueError(f"no draws of kind {kind!r}")
    finally:
        del random
    return out
