from corpus.publishing.export.skos import skos
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full
from tests.support.conformance import needed

SKOS = "http://www.w3.org/2004/02/skos/core#"


def _graph(study):
    rdflib = needed("rdflib")
    return rdflib, rdflib.Graph().parse(data=skos(study), format="turtle")


def test_every_term_of_the_real_codebook_is_a_concept_of_its_scheme():
    study = load_corpus(str(REAL))
    rdflib, graph = _graph(study)
    names = rdflib.Namespace(SKOS)
    vocabularies = study.codebook.vocabularies
    assert len(set(graph.subjects(rdflib.RDF.type, names.ConceptScheme))) == len(vocabularies)
    concepts = set(graph.subjects(rdflib.RDF.type, names.Concept))
    assert len(concepts) == sum(len(vocabulary.terms) for vocabulary in vocabularies.values())
    for concept in concepts:
        # One preferred label per language, S14; preferred and alternative are disjoint, S13.
        labels = list(graph.objects(concept, names.prefLabel))
        assert len(labels) == 1
        assert labels[0] not in set(graph.objects(concept, names.altLabel))
        scheme = graph.value(concept, names.inScheme)
        assert (scheme, names.hasTopConcept, concept) in graph
    for collection in graph.subjects(rdflib.RDF.type, names.Collection):
        assert set(graph.objects(collection, names.member)) <= concepts


def test_a_hostile_definition_and_term_are_one_literal_and_one_address():
    definition = 'x" . <evil> a <b> .\n\\u0022'
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["terms"][0]["definition"] = definition
    study = full(vocabularies=vocabularies)
    rdflib, graph = _graph(study)
    names = rdflib.Namespace(SKOS)
    surface = rdflib.URIRef("https://soil.example/#depth/surface")
    assert str(graph.value(surface, names.definition)) == 'x" . <evil> a <b> . \\u0022'
    assert (None, rdflib.RDF.type, rdflib.URIRef("b")) not in graph


def test_a_term_cannot_end_its_address():
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["depth"]["terms"].append({"id": "wet> a <b", "definition": "Wet."})
    study = full(vocabularies=vocabularies)
    rdflib, graph = _graph(study)
    names = rdflib.Namespace(SKOS)
    wet = rdflib.URIRef("https://soil.example/#depth/wet%3E%20a%20%3Cb")
    assert str(graph.value(wet, names.notation)) == "wet> a <b"
