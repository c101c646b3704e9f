from corpus.publishing.page.protocol import ProtocolItem, protocol_parts


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
    assert found == (
        ProtocolItem("Soil", "T", ("a", "2")),
        ProtocolItem("N", "E"),
        ProtocolItem("", ""),
    )
