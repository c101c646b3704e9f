from corpus.publishing.page.sections import protocol_parts


def test_an_item_has_its_best_name_and_text_and_what_it_lists():
    items = [
        {
            "id": "Q1",
            "label": "Soil",
            "definition": "D",
            "text": "T",
            "strings": ["a", 2],
            "year": 3,
        },
        {"id": "Q2", "description": "E", "name": "N"},
        {"other": "x"},
    ]
    ((_, found),) = protocol_parts({"queries": items})
    assert found == [
        {"name": "Soil", "text": "T", "more": ["a", "2"]},
        {"name": "N", "text": "E", "more": []},
        {"name": "", "text": "", "more": []},
    ]
