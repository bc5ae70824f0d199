"""Players' names without the team, place or organisation glued to them.

Chinese records often write one field ``上海胡榮華`` or ``廣東 許銀川`` for what elsewhere is
``胡榮華`` and ``許銀川``. A name is split only where that is safe: after a team listed here, or
after a longer word and a blank, and only if what remains is a whole Chinese name. Everything else,
pairs of players among it, stays as it was written.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["player_name"]

# Provinces, regions, cities, countries and organisations that enter teams, as records of 1950 to
# 2013 name them. None begins a Chinese name of two or three characters.
_TEAM = (
    "黑龍江|黑龙江|內蒙古|内蒙古|中華臺北|中華台北|中华台北|南方棋院|澳大利亞|澳大利亚|馬來西亞|"
    "马来西亚|新加坡|菲律賓|菲律宾|加拿大|火車頭|火车头|解放軍|解放军|哈爾濱|哈尔滨|"
    "北京|天津|上海|重慶|重庆|河北|山西|遼寧|辽宁|吉林|江蘇|江苏|浙江|安徽|福建|江西|山東|山东|"
    "河南|湖北|湖南|廣東|广东|海南|四川|貴州|贵州|雲南|云南|陝西|陜西|陕西|甘肅|甘肃|青海|臺灣|"
    "台灣|台湾|內蒙|内蒙|廣西|广西|西藏|寧夏|宁夏|新疆|香港|澳門|澳门|中國|中国|臺北|台北|"
    "廈門|厦门|廣州|广州|深圳|大連|大连|瀋陽|沈陽|沈阳|武漢|武汉|杭州|成都|南京|青島|青岛|西安|"
    "浦東|浦东|寧波|宁波|郵電|邮电|煤礦|煤矿|輕工|轻工|農協|农协|農民|农民|開灤|开滦|冶金|林業|"
    "林业|石化|紡織|纺织|機電|机电|通訊|通讯|化工|前衛|前卫|越南|泰國|泰国|印尼|汶萊|文莱|緬甸|"
    "缅甸|日本|美國|美国|法國|法国|德國|德国|英國|英国|澳洲|荷蘭|荷兰|東馬|东马|西馬|西马|美東|"
    "美东|美西|義大利|意大利|北方|南方|華東|华东|華南|华南"
)
_HAN = r"[㐀-鿿豈-﫿\U00020000-\U0002ffff]"
_COMPOUND = "歐陽|欧阳|司馬|司马|諸葛|诸葛|上官|尉遲|尉迟|皇甫|夏侯|慕容|令狐"
# Parts of organisations and groups, which remain of a team of several words.
_NO_NAME = (
    "大[學学]|[學学]院|中[學学]|小[學学]|棋[院社會会協协]|[協协][會会]|[業业][餘余]|[體体][委協协育院]|"
    "青年|少年|女子|男子|公司|集[團团]|代表|[聯联][隊队]|[職职]工|工人|俱[樂乐]|"
    "[選选]手|[冠亞亚季][軍军]"
)
_NAME = rf"(?!{_HAN}?(?:{_NO_NAME})|(?:{_TEAM}){_HAN}?$)"
_NAME += rf"(?:(?:{_COMPOUND}){_HAN}{{1,2}}|{_HAN}{{2,3}})(?<![隊队])"
_GLUED = re.compile(rf"(?:(?:{_TEAM})[隊队局]?)+ ?({_NAME}|{_HAN} {_HAN})")
# Two or three characters and a blank may also be another player's name.
_PARTED = re.compile(rf"(?:\S{{4,}}|\S{{1,2}}[隊队市省縣县區区局]) ({_NAME})")
_SPACED = re.compile(rf"{_HAN}(?: {_HAN}){{1,2}}")
_LONGEST = 40
_PLACEHOLDERS = ("", "?", "-", "*", "&nbsp;")


@lru_cache(maxsize=1 << 14)
def player_name(text: str) -> str | None:
    """Return the name of a player without a team, or None for a placeholder.

    Blanks inside a short Chinese name (``呂  欽``), which typesetters put there, are dropped.

    Parameters
    ----------
    text
        The field, as the record has it.
    """
    text = " ".join(text.split())
    if text in _PLACEHOLDERS:
        return None
    if len(text) > _LONGEST:
        return text
    if _SPACED.fullmatch(text) is not None:
        return text.replace(" ", "")
    match = _GLUED.fullmatch(text) or _PARTED.fullmatch(text)
    return text if match is None else match[1].replace(" ", "")
