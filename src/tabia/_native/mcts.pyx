# cython: boundscheck=False, wraparound=False
"""Monte Carlo tree search of many games at once."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "mcts/config.hpp" namespace "tabia::mcts" nogil:
    cdef enum class Backup(uint8_t):
        MEAN
        MINIMAX

    cdef enum class Rule(uint8_t):
        PUCT
        GO_PLAYER
        GUMBEL

    cdef enum class Fpu(uint8_t):
        FIXED
        REDUCTION

    cdef cppclass Config:
        Backup backup
        Rule rule
        Fpu fpu
        cbool solve
        double fpu_value
        double noisy_fpu_value
        double c_init
        double c_base
        uint32_t virtual_loss
        double noise_alpha
        double noise_fraction
        double forced
        double c
        double visit_floor
        int n_temperatures
        double temperature[64]
        uint32_t considered
        double c_visit
        double c_scale


cdef extern from "mcts/state.hpp" namespace "tabia::mcts" nogil:
    cdef cppclass Limits:
        int quiet_plies
        int repetitions
        int max_plies
        int rollout_plies
        cbool rollout_fills_eyes
        cbool spares_eyes


cdef extern from "go/rules.hpp" namespace "tabia::go" nogil:
    cdef enum class KoRule(uint8_t):
        SIMPLE
        POSITIONAL
        SITUATIONAL

    cdef enum class Scoring(uint8_t):
        AREA
        TERRITORY

    cdef cppclass Rules:
        KoRule ko
        cbool allows_suicide
        Scoring scoring
        float komi


cdef extern from "mcts/searcher.hpp" namespace "tabia::mcts" nogil:
    cdef cppclass Shape:
        int planes
        int rows
        int columns
        int labels

    cdef cppclass EdgeReport:
        uint16_t code
        uint32_t visits
        double q
        float prior
        float noisy_prior
        double improved
        uint8_t solved
        uint16_t solved_plies

    cdef cppclass RootReport:
        double value
        double evaluation
        uint32_t visits
        uint8_t side
        uint8_t solved
        uint16_t solved_plies
        cbool is_over
        cbool is_searched
        int result

    cdef enum class Choice(uint8_t):
        VISITS
        GO_PLAYER
        GUMBEL
        VALUE

    cdef cppclass CSearcher "tabia::mcts::Searcher":
        Shape shape()
        string reset(int, const string&, const uint16_t*, int) except +
        cbool play(int, uint16_t) except +
        void forget(int)
        void begin(int, uint32_t, uint64_t, cbool)
        uint32_t left(int)
        uint32_t done(int)
        int select(int, int, float*, int32_t*) except +
        void expand(const float*, const float*) except +
        void drop()
        int pending()
        void run_constant() except +
        void run_rollouts(int, int, int) except +
        RootReport root(int)
        vector[EdgeReport] edges(int) except +
        vector[uint16_t] variation(int, uint16_t, int) except +
        int choose(int, Choice, double, uint64_t) except +
        size_t bytes(int)
        void encode(int, float*)
        vector[uint16_t] legal(int) except +
        vector[uint16_t] legal_labels(int) except +

    unique_ptr[CSearcher] make_chess(int, int, const Config&, const Limits&) except +
    unique_ptr[CSearcher] make_xiangqi(int, int, const Config&, const Limits&) except +
    unique_ptr[CSearcher] make_go(
        int, int, const Config&, const Limits&, int, const Rules&) except +


_SOLVED = (None, "win", "draw", "loss")
_CHOICES = {"visits": 0, "go_player": 1, "gumbel": 2, "value": 3}


def _one_of(name, value, known):
    if value not in known:
        raise ValueError(f"{name} {value!r}; known are {', '.join(known)}")
    return known.index(value)


cdef Config _config(
    backup, rule, fpu, solve, fpu_value, noisy_fpu_value, c_init, c_base, virtual_loss, noise_alpha,
    noise_fraction, forced, c, visit_floor, temperatures, considered, c_visit, c_scale
) except *:
    cdef Config config
    config.backup = <Backup><int>_one_of("backup", backup, ("mean", "minimax"))
    config.rule = <Rule><int>_one_of("rule", rule, ("puct", "go_player", "gumbel"))
    config.fpu = <Fpu><int>_one_of("fpu", fpu, ("fixed", "reduction"))
    config.solve = solve
    config.fpu_value = fpu_value
    config.noisy_fpu_value = fpu_value if noisy_fpu_value is None else noisy_fpu_value
    config.c_init = c_init
    config.c_base = c_base
    config.virtual_loss = virtual_loss
    config.noise_alpha = noise_alpha
    config.noise_fraction = noise_fraction
    config.forced = forced
    config.c = c
    config.visit_floor = visit_floor
    config.considered = considered
    config.c_visit = c_visit
    config.c_scale = c_scale
    if not 1 <= len(temperatures) <= 64:
        raise ValueError(f"{len(temperatures)} temperatures by depth; 1 to 64 are possible")
    config.n_temperatures = len(temperatures)
    for i, value in enumerate(temperatures):
        config.temperature[i] = value
    for name, value, least in (
        ("c_base", c_base, 1e-9), ("noise_alpha", noise_alpha, 1e-9),
        ("visit_floor", visit_floor, 1e-9), ("noise_fraction", noise_fraction, 0),
        ("forced", forced, 0),
        ("virtual_loss", virtual_loss, 1), ("considered", considered, 1),
    ):
        if not value >= least:
            raise ValueError(f"{name} is {value}; it must be {least} or more")
    return config


cdef class Searcher:
    cdef unique_ptr[CSearcher] core
    cdef readonly str game
    cdef readonly int slots
    cdef readonly int history

    def __init__(
        self,
        str game,
        int slots,
        *,
        int history=1,
        int quiet_plies=0,
        int repetitions=0,
        int max_plies=0,
        int rollout_plies=0,
        bint rollout_fills_eyes=False,
        bint spares_eyes=False,
        int size=19,
        double komi=7.5,
        ko="positional",
        bint suicide=False,
        scoring="area",
        backup="mean",
        rule="puct",
        fpu="reduction",
        solve=True,
        fpu_value=0.3,
        noisy_fpu_value=None,
        c_init=1.25,
        c_base=19652.0,
        virtual_loss=1,
        noise_alpha=0.3,
        noise_fraction=0.25,
        forced=0.0,
        c=1.0,
        visit_floor=1.0,
        temperatures=(1.0,),
        considered=16,
        c_visit=50.0,
        c_scale=1.0,
    ):
        if slots < 1:
            raise ValueError(f"{slots} slots; there must be 1 or more")
        if not 1 <= history <= 16:
            raise ValueError(f"a history of {history} positions; 1 to 16 are possible")
        cdef Config config = _config(
            backup, rule, fpu, solve, fpu_value, noisy_fpu_value, c_init, c_base, virtual_loss, noise_alpha,
            noise_fraction, forced, c, visit_floor, temperatures, considered, c_visit, c_scale
        )
        cdef Limits limits
        cdef Rules rules
        limits.quiet_plies = quiet_plies
        limits.repetitions = repetitions
        limits.max_plies = max_plies
        limits.rollout_plies = rollout_plies
        limits.rollout_fills_eyes = rollout_fills_eyes
        limits.spares_eyes = spares_eyes
        for name, value in (
            ("quiet_plies", quiet_plies), ("repetitions", repetitions), ("max_plies", max_plies),
            ("rollout_plies", rollout_plies),
        ):
            if value < 0:
                raise ValueError(f"{name} is {value}; 0 is no limit")
        if game == "chess":
            self.core = make_chess(slots, history, config, limits)
        elif game == "xiangqi":
            self.core = make_xiangqi(slots, history, config, limits)
        elif game == "go":
            if not 5 <= size <= 19:
                raise ValueError(f"a board of size {size}; 5 to 19 are possible")
            rules.ko = <KoRule><int>_one_of("ko", ko, ("simple", "positional", "situational"))
            rules.allows_suicide = suicide
            rules.scoring = <Scoring><int>_one_of("scoring", scoring, ("area", "territory"))
            rules.komi = <float>komi
            self.core = make_go(slots, history, config, limits, size, rules)
        else:
            raise ValueError(f"no game {game!r}; known are chess, xiangqi, go")
        self.game = game
        self.slots = slots
        self.history = history

    cdef CSearcher* _at(self, int slot) except NULL:
        if not 0 <= slot < self.slots:
            raise IndexError(f"slot {slot}; there are 0 to {self.slots - 1}")
        return self.core.get()

    cdef CSearcher* _changing(self, int slot) except NULL:
        cdef CSearcher* core = self._at(slot)
        if core.pending():
            raise RuntimeError(f"{core.pending()} leaves wait for `expand`")
        return core

    @property
    def shape(self):
        cdef Shape shape = self.core.get().shape()
        return shape.planes, shape.rows, shape.columns

    @property
    def labels(self):
        return self.core.get().shape().labels

    def reset(self, int slot, start=None, moves=()):
        cdef CSearcher* core = self._changing(slot)
        cdef string text = b"" if start is None else start.encode()
        codes = np.ascontiguousarray(moves, dtype=np.uint16)
        cdef const uint16_t[::1] view = codes
        cdef const uint16_t* first = &view[0] if view.shape[0] else NULL
        cdef string fault = core.reset(slot, text, first, <int>view.shape[0])
        if not fault.empty():
            raise ValueError(f"slot {slot}, start {start!r}: {fault.decode()}")

    def play(self, int slot, code):
        cdef CSearcher* core = self._changing(slot)
        if not (0 <= code <= 0xFFFF and core.play(slot, code)):
            raise ValueError(f"slot {slot}: move {code} is not legal")

    def forget(self, int slot):
        self._changing(slot).forget(slot)

    def begin(self, int slot, uint32_t simulations, uint64_t seed, *, bint noise=False):
        self._changing(slot).begin(slot, simulations, seed, noise)

    def left(self, int slot):
        return self._at(slot).left(slot)

    def done(self, int slot):
        return self._at(slot).done(slot)

    def select(self, float[:, :, :, ::1] planes, int32_t[::1] slot_of, *, int leaves=1):
        cdef CSearcher* core = self.core.get()
        cdef Shape shape = core.shape()
        cdef int room = <int>min(planes.shape[0], slot_of.shape[0]), n
        if core.pending():
            raise RuntimeError(f"{core.pending()} leaves wait for `expand`")
        if (planes.shape[1], planes.shape[2], planes.shape[3]) != self.shape:
            raise ValueError(f"planes of shape {list(planes.shape)[1:4]}, not {list(self.shape)}")
        if not 1 <= leaves <= room:
            raise ValueError(f"{leaves} leaves a slot do not fit in a batch of {room}")
        with nogil:
            n = core.select(leaves, room, &planes[0, 0, 0, 0], &slot_of[0])
        return n

    def expand(self, const float[:, ::1] logits, const float[::1] values):
        cdef CSearcher* core = self.core.get()
        cdef int n = core.pending()
        if logits.shape[0] != n or values.shape[0] != n or logits.shape[1] != self.labels:
            raise ValueError(
                f"logits {[logits.shape[0], logits.shape[1]]} and {values.shape[0]} values for "
                f"{n} leaves of {self.labels} labels"
            )
        if n == 0:
            return
        if not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise ValueError("logits and values must be finite")
        with nogil:
            core.expand(&logits[0, 0], &values[0])

    def drop(self):
        self.core.get().drop()

    def run_constant(self):
        cdef CSearcher* core = self._changing(0)
        with nogil:
            core.run_constant()

    def run_rollouts(self, int rollouts=1, *, int leaves=1, int threads=1):
        cdef CSearcher* core = self._changing(0)
        if rollouts < 1:
            raise ValueError(f"{rollouts} rollouts a leaf; there must be 1 or more")
        if not 1 <= leaves <= 4096:
            raise ValueError(f"{leaves} leaves in a batch; 1 to 4096 are possible")
        if threads < 1:
            raise ValueError(f"{threads} threads; there must be 1 or more")
        with nogil:
            core.run_rollouts(rollouts, leaves, threads)

    def root(self, int slot):
        cdef RootReport root = self._at(slot).root(slot)
        return (
            root.value if root.is_searched else None,
            root.evaluation if root.is_searched else None,
            root.visits,
            root.side,
            _SOLVED[root.solved],
            root.solved_plies,
            root.result if root.is_over else None,
        )

    def edges(self, int slot):
        cdef vector[EdgeReport] found = self._at(slot).edges(slot)
        cdef size_t i, n = found.size()
        moves = np.empty(n, np.uint16)
        visits = np.empty(n, np.uint32)
        q = np.empty(n, np.float64)
        prior = np.empty(n, np.float32)
        noisy = np.empty(n, np.float32)
        improved = np.empty(n, np.float64)
        solved = np.empty(n, np.uint8)
        plies = np.empty(n, np.uint16)
        cdef uint16_t[::1] moves_out = moves, plies_out = plies
        cdef uint32_t[::1] visits_out = visits
        cdef double[::1] q_out = q, improved_out = improved
        cdef float[::1] prior_out = prior, noisy_out = noisy
        cdef uint8_t[::1] solved_out = solved
        for i in range(n):
            moves_out[i] = found[i].code
            visits_out[i] = found[i].visits
            q_out[i] = found[i].q
            prior_out[i] = found[i].prior
            noisy_out[i] = found[i].noisy_prior
            improved_out[i] = found[i].improved
            solved_out[i] = found[i].solved
            plies_out[i] = found[i].solved_plies
        return moves, visits, q, prior, noisy, improved, solved, plies

    def variation(self, int slot, uint16_t code, int longest=32):
        return list(self._at(slot).variation(slot, code, longest))

    def choose(self, int slot, *, rule="visits", double temperature=0.0, uint64_t seed=0):
        cdef int number = _one_of("rule", rule, tuple(_CHOICES))
        cdef int code = self._at(slot).choose(slot, <Choice>number, temperature, seed)
        if code < 0:
            raise ValueError(f"slot {slot}: the root has not been searched, or the game is over")
        return code

    def encode(self, int slot):
        planes = np.empty(self.shape, np.float32)
        cdef float[:, :, ::1] view = planes
        self._at(slot).encode(slot, &view[0, 0, 0])
        return planes

    def legal_moves(self, int slot):
        return list(self._at(slot).legal(slot))

    def legal_labels(self, int slot):
        return list(self._at(slot).legal_labels(slot))

    def tree_bytes(self, int slot):
        return self._at(slot).bytes(slot)
