"""Spellings of dates, and names with teams glued to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.names import player_name

DATES = {
    "1985年5月26日": "1985-05-26",
    "1985年10月6日": "1985-10-06",
    "１９９８年１０月１０日 ": "1998-10-10",
    "1982年元月9日": "1982-01-09",
    "1995 元月 1": "1995-01",
    "1985年5月26": "1985-05-26",
    "1995年10月15日下午": "1995-10-15",
    "1999年8月20日-25日": "1999-08-20",
    "2005年11月7日8.30": "2005-11-07",
    "1986年 1月13日": "1986-01-13",
    "1989年l月20日": "1989-01-20",
    "l982年5月19日": "1982-05-19",
    "1991年10月l5日": "1991-10-15",
    "1999年1O月30日": "1999-10-30",
    "1985年8月 日": "1985-08",
    "1983年8月XX日": "1983-08",
    "1975年6月218日": "1975-06",
    "1977年3月中旬": "1977-03",
    "1986年4月": "1986-04",
    "1989年": "1989",
    "1989年春": "1989",
    "87年6月25日": "1987-06-25",
    "03年8月2日-6日": "2003-08-02",
    "2003-04-00": "2003-04",
    "2009-12-04 13:0": "2009-12-04",
    "2011-11-25 08:00-11:00": "2011-11-25",
    "1999.4.19": "1999-04-19",
    "2004.3.18－20": "2004-03-18",
    "2004.12..1": "2004-12-01",
    "2002.6-7": "2002-06",
    "1997.4": "1997-04",
    "1990.??.??": "1990",
    "1990.05.??": "1990-05",
    "2001。3。17": "2001-03-17",
    "2000、12、02": "2000-12-02",
    "2001·8·15": "2001-08-15",
    "1978，9，10": "1978-09-10",
    "1988_8_18": "1988-08-18",
    "1993:8:11": "1993-08-11",
    "2004 1 29": "2004-01-29",
    "2001/2/10 ": "2001-02-10",
    "1997/10/31-11/06": "1997-10-31",
    "20090829": "2009-08-29",
    "20091115-09：00": "2009-11-15",
    "19980408上午": "1998-04-08",
    "199604XX": "1996-04",
    "200304": "2003-04",
    "990516": "1999-05-16",
    "2001021": "2001",
    "78-5-30": "1978-05-30",
    "97-11-19": "1997-11-19",
    "23-9-2009": "2009-09-23",
    "6/30/1992": "1992-06-30",
    "10/28/99": "1999-10-28",
    "08，19，2000": "2000-08-19",
    "12/12/2001": "2001-12-12",
    "3-8-2009": "2009",
    "12/2/1987": "1987",
    "1985年13月1日": "1985",
    "1985年2月30日": "1985-02",
    "0000-00-00": None,
    "26.5.01": None,
    "003年12月3日": None,
    "12月25日": None,
    "7.10": None,
    "30年代": None,
    "&nbsp;": None,
    "": None,
}


@pytest.mark.parametrize("text", DATES)
def test_a_date_is_iso_as_far_as_it_is_known(text: str) -> None:
    assert iso_date(text) == DATES[text]


@given(st.dates(), st.sampled_from(["%Y-%m-%d", "%Y.%m.%d", "%Y/%m/%d", "%Y%m%d"]))
def test_every_day_of_two_centuries_is_read(date: object, form: str) -> None:
    assert hasattr(date, "strftime")
    text = date.strftime(form).zfill(10 if "%Y%" not in form else 8)
    year = int(text[:4])
    expected = date.strftime("%Y-%m-%d") if 1800 <= year <= 2099 else None
    assert iso_date(text) == expected


@given(st.text(max_size=80))
def test_any_text_is_a_date_or_none(text: str) -> None:
    date = iso_date(text)
    assert date is None or iso_date(date) == date


NAMES = {
    "胡榮華": "胡榮華",
    "上海胡榮華": "胡榮華",
    "上海 胡榮華": "胡榮華",
    "上海\u3000胡榮華": "胡榮華",
    "上海洪  智": "洪智",
    "廣東隊 許銀川": "許銀川",
    "南方隊呂欽": "呂欽",
    "黑龙江赵国荣": "赵国荣",
    "中國香港 趙汝權": "趙汝權",
    "丹東一洲 隋勝軍": "隋勝軍",
    "上海歐陽琦琳": "歐陽琦琳",
    "歐陽琦琳": "歐陽琦琳",
    "呂  欽": "呂欽",
    "許\u3000波": "許波",
    # Not split: two players, cut texts, teams alone, other scripts.
    "王琳娜 許銀川": "王琳娜 許銀川",
    "趙國榮、金海英": "趙國榮、金海英",
    "廣東東莞長安 許": "廣東東莞長安 許",
    "開灤煤礦股份 楊": "開灤煤礦股份 楊",
    "四川成都雙流隊": "四川成都雙流隊",
    "HU RongHua": "HU RongHua",
    "象棋巫师(大师)": "象棋巫师(大师)",
    "上海": "上海",
    # What remains is an organisation, a group or a place.
    "北京大學": "北京大學",
    "北京大学生": "北京大学生",
    "上海棋院": "上海棋院",
    "廣東業餘": "廣東業餘",
    "上海青年": "上海青年",
    "上海青年隊": "上海青年隊",
    "中國香港": "中國香港",
    "河北体委": "河北体委",
    "": None,
    "?": None,
    "&nbsp;": None,
}


@pytest.mark.parametrize("text", NAMES)
def test_a_team_is_left_out_where_a_whole_name_remains(text: str) -> None:
    assert player_name(text) == NAMES[text]


@given(st.text(max_size=60))
def test_a_name_without_its_team_stays_as_it_is(text: str) -> None:
    name = player_name(text)
    assert name is None or player_name(name) in (name, None) or len(name) < len(text)
