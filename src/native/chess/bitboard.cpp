#include "chess/bitboard.hpp"

#include <bit>
#include <initializer_list>

namespace tabia::chess {
namespace {

// Magic factors, found once by trying sparse random numbers (three splitmix64 draws and-ed,
// seed 0x7ab1a0c0ffee1234) until every blocker set maps to its attacks without a collision.
// The ctest `attacks` compares every square with ray walking, so a wrong digit cannot hide.
constexpr Bitboard BISHOP_FACTORS[64] = {
    0x0240100885064381ULL,    0x081044034412e002ULL,    0x00418a0200400205ULL,    0x484c2c008a580010ULL,
    0x8144242000192149ULL,    0x0c020804c4100000ULL,    0x04440202022061a0ULL,    0x0402004a00842020ULL,
    0x1810041022180100ULL,    0x0004021044052042ULL,    0x4804884200420006ULL,    0x1404042502000002ULL,
    0x6002045040000040ULL,    0x0200044120100100ULL,    0x04011480b4104108ULL,    0x8020809401080204ULL,
    0xd420000421020200ULL,    0x00a1820414008200ULL,    0x0043000608020480ULL,    0x000401180a50a041ULL,
    0x2134024080a00840ULL,    0x44c0800410040102ULL,    0x0441080061082001ULL,    0x000a804244108801ULL,
    0x0308400008108100ULL,    0x0011100008101126ULL,    0x0001010410140421ULL,    0x0022080204004008ULL,
    0x0001004004004040ULL,    0x0448002001100800ULL,    0x8008008842008400ULL,    0x8142008004209800ULL,
    0x0129256000502020ULL,    0x0034100200295208ULL,    0x0002068200d00020ULL,    0x0008060180080180ULL,
    0x000c040400024500ULL,    0x1020040020010080ULL,    0x419200a200010808ULL,    0x1184010050c42410ULL,
    0x0108210808002088ULL,    0x000c809838446050ULL,    0x000c121804008801ULL,    0x0610804010400a01ULL,
    0x8040101200801810ULL,    0x0084300040415202ULL,    0x08a8088884900400ULL,    0x0204082608a00140ULL,
    0x8000841128420140ULL,    0x1080220110080000ULL,    0x2200003201100004ULL,    0x8004180106880020ULL,
    0x0401400405041001ULL,    0x010048b010008710ULL,    0x0011101001005210ULL,    0xc020020092008010ULL,
    0x200200320104200cULL,    0x0158010c01111820ULL,    0x0000014044040400ULL,    0x0029012810420202ULL,
    0x0000000020842422ULL,    0x80a0a44022440110ULL,    0x2600070808010400ULL,    0x0940088500508300ULL,
};
constexpr Bitboard ROOK_FACTORS[64] = {
    0x0080108000204004ULL,    0x004000200010004cULL,    0x0100110008200044ULL,    0x0500050010002048ULL,
    0x0200042008100200ULL,    0x0300080a04000900ULL,    0x4480220000800100ULL,    0x120000408900220cULL,
    0x2c00800020804004ULL,    0x0180400020100040ULL,    0x1080802000100082ULL,    0x1000808008001000ULL,
    0x0004800400080080ULL,    0x0202000810040200ULL,    0x6804001088420124ULL,    0x2222000055248204ULL,
    0x248000c000a00050ULL,    0x00a0404010002002ULL,    0x5280848020049000ULL,    0x284042000a002211ULL,
    0x0400808004000800ULL,    0x0a20080104401020ULL,    0x0010840008108201ULL,    0x22219a0005408104ULL,
    0x22c0008080002040ULL,    0x8280200180400080ULL,    0x8060200080100080ULL,    0x0219010900100020ULL,
    0x0508000404002040ULL,    0x0054000480800200ULL,    0x0004020400080110ULL,    0x0201008200041041ULL,
    0x0140004028800a83ULL,    0x4020400091802002ULL,    0x0428802000801000ULL,    0x8010021021000b00ULL,
    0x03a8080101000410ULL,    0x0042001102000408ULL,    0x0000800200800100ULL,    0x00040c00460000a1ULL,
    0x0400800040028020ULL,    0x0281020040820020ULL,    0x0029004020010010ULL,    0x2008120020420009ULL,
    0x2010050008010010ULL,    0x8114000810020200ULL,    0x5040304802040021ULL,    0x0101002040810002ULL,
    0x90004a0088210200ULL,    0x0040804000200080ULL,    0x5040200019034100ULL,    0x5000080290008480ULL,
    0x0002002084100a00ULL,    0x48a2008002040080ULL,    0x0005820108102400ULL,    0x0010008044010200ULL,
    0x0402460020910482ULL,    0x1442002040810016ULL,    0x0440200010084101ULL,    0x0100200409001001ULL,
    0x010a001004200802ULL,    0x4981000208040001ULL,    0x030000d011020804ULL,    0x8000008024004902ULL,
};

constexpr int BISHOP_RAYS[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
constexpr int ROOK_RAYS[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

// Sums over the squares of 2^(number of relevant blockers).
Bitboard bishop_storage[5248];
Bitboard rook_storage[102400];

Bitboard walk_rays(int square, Bitboard occupied, const int (&rays)[4][2]) {
    Bitboard attacks = 0;
    for (const auto& ray : rays) {
        int file = file_of(square), rank = rank_of(square);
        while (true) {
            file += ray[0];
            rank += ray[1];
            if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
            attacks |= bit(8 * rank + file);
            if (occupied & bit(8 * rank + file)) break;
        }
    }
    return attacks;
}

void fill_magics(Magic (&magics)[64], Bitboard* storage, const Bitboard (&factors)[64],
                 const int (&rays)[4][2]) {
    for (int square = 0; square < 64; ++square) {
        const Bitboard edges = ((FILE_A | file_mask(7)) & ~file_mask(file_of(square))) |
                               ((RANK_1 | RANK_8) & ~rank_mask(rank_of(square)));
        Magic& m = magics[square];
        m.mask = walk_rays(square, 0, rays) & ~edges;
        m.factor = factors[square];
        m.shift = 64 - std::popcount(m.mask);
        m.attacks = storage;
        Bitboard blockers = 0;
        do {  // Carry-Rippler: visits every subset of the mask once.
            storage[(blockers * m.factor) >> m.shift] = walk_rays(square, blockers, rays);
            blockers = (blockers - m.mask) & m.mask;
        } while (blockers);
        storage += 1ULL << (64 - m.shift);
    }
}

Bitboard leaps(int square, const int (*steps)[2], int n) {
    Bitboard attacks = 0;
    for (int i = 0; i < n; ++i) {
        const int file = file_of(square) + steps[i][0], rank = rank_of(square) + steps[i][1];
        if (file >= 0 && file <= 7 && rank >= 0 && rank <= 7) attacks |= bit(8 * rank + file);
    }
    return attacks;
}

}  // namespace

AttackTables::AttackTables() : between{}, line{} {
    static constexpr int KNIGHT_STEPS[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                               {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static constexpr int KING_STEPS[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                             {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    static constexpr int WHITE_PAWN_STEPS[2][2] = {{-1, 1}, {1, 1}};
    static constexpr int BLACK_PAWN_STEPS[2][2] = {{-1, -1}, {1, -1}};

    fill_magics(bishop, bishop_storage, BISHOP_FACTORS, BISHOP_RAYS);
    fill_magics(rook, rook_storage, ROOK_FACTORS, ROOK_RAYS);
    for (int a = 0; a < 64; ++a) {
        knight[a] = leaps(a, KNIGHT_STEPS, 8);
        king[a] = leaps(a, KING_STEPS, 8);
        pawn[WHITE][a] = leaps(a, WHITE_PAWN_STEPS, 2);
        pawn[BLACK][a] = leaps(a, BLACK_PAWN_STEPS, 2);
        for (int b = 0; b < 64; ++b) {
            if (a == b) continue;
            for (const auto* magics : {&bishop, &rook}) {
                const Magic& from_a = (*magics)[a];
                const Magic& from_b = (*magics)[b];
                if (!(slide(from_a, 0) & bit(b))) continue;
                between[a][b] = slide(from_a, bit(b)) & slide(from_b, bit(a));
                line[a][b] = (slide(from_a, 0) & slide(from_b, 0)) | bit(a) | bit(b);
            }
        }
    }
}

const AttackTables TABLES;

}  // namespace tabia::chess
