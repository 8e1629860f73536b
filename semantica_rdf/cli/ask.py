"""`show` and `query`: what holds at a coordinate."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from semantica_rdf.cli import options, plain, sheets
from semantica_rdf.cli.output import Output
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.targets import view_of
from semantica_rdf.cli.text import bound_text, escaped, iri_text, short_id, term_text
from semantica_rdf.cli.words import Words
from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.view.answering import Plan, plan_values
from semantica_rdf.view.shown import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semantica_rdf.knowledge_base import KnowledgeBase
    from semantica_rdf.view.facts import Fact

FACT_COLUMNS = ("predicate", "object", "graph", "from", "until", "source", "id")


def show(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="An IRI or prefixed name.")],
    *,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Show what is believed about a subject at a date, as known at another."""
    session = Session.of(context, kb, as_json, wait, format)
    with session.reading() as base:
        view = view_of(base, valid_at, known_at, namespace)
        name = Words(base.prefixes).iri(subject)
        facts = sorted(view.facts(subject=name), key=lambda fact: fact.key)
        if session.output.as_json:
            coordinate = plain.coordinate_value(view.coordinate)
            shown = [plain.fact_value(fact) for fact in facts]
            session.output.json({"subject": name.value, "coordinate": coordinate, "facts": shown})
            return
        if session.output.as_csv:
            session.output.csv(sheets.FACT_COLUMNS, sheets.fact_rows(facts))
            return
        title = f"{iri_text(name.value, base.prefixes)} at {view.coordinate.text}"
        session.output.line(title)
        if not facts:
            session.output.line("Nothing is believed about it there.")
            return
        cells = (fact_cells(fact, base.prefixes) for fact in facts)
        session.output.table(FACT_COLUMNS, cells)


def fact_cells(fact: Fact, prefixes: Mapping[str, str]) -> tuple[str, ...]:
    """Return a fact as the cells of a table under `FACT_COLUMNS`, without its subject."""
    return (
        term_text(fact.predicate, prefixes),
        term_text(fact.object, prefixes),
        term_text(fact.graph, prefixes),
        bound_text(fact.window.start),
        bound_text(fact.window.end),
        ", ".join(term_text(source, prefixes) for source in fact.sources),
        ", ".join(short_id(statement) for statement in fact.statements),
    )


def query(
    context: typer.Context,
    text: Annotated[
        str | None,
        typer.Argument(metavar="[TEXT]", help="SPARQL; - reads it from stdin."),
    ] = None,
    *,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", metavar="FILE", help="Read the SPARQL from a file."),
    ] = None,
    dataset: Annotated[
        options.Dataset,
        typer.Option("--dataset", help="What holds at the coordinate, or the record itself."),
    ] = options.Dataset.view,
    bind: Annotated[
        list[str] | None,
        typer.Option("--bind", metavar="NAME=TERM", help="Give a variable its term. Repeatable."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="table, json, csv, tsv, xml; turtle, n-triples, json-ld, rdf-xml for graphs. "
            "Default: table on a terminal, else tsv or turtle.",
        ),
    ] = None,
    blank_nodes: options.BlankNodes = options.BlankNodesChoice.skolem,
    strategy: Annotated[
        options.StrategyChoice | None,
        typer.Option("--strategy", help="How to go about it. Default: by rules; see --plan."),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say how it would be answered and why; ask nothing.")
    ] = False,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Ask in SPARQL: SELECT, ASK, CONSTRUCT or DESCRIBE over the plain triples that hold."""
    session = Session.of(context, kb, as_json, wait)
    sparql = _sparql(text, file)
    on_record = dataset is options.Dataset.record
    if on_record and (valid_at or known_at or namespace):
        raise typer.BadParameter("--dataset record is all of the record: it takes no coordinate")
    if on_record and (strategy or plan):
        raise typer.BadParameter("--dataset record is asked as it stands, in one way")
    with session.reading() as base:
        bindings = _bindings(bind or [], Words(base.prefixes))
        as_table = format == "table" or (format is None and session.output.for_people)
        if on_record:
            answer: Any = base.record.query(sparql, bindings=bindings)
        else:
            view = view_of(base, valid_at, known_at, namespace)
            how = _How(bindings, blank_nodes.value, strategy and strategy.value)
            if plan:
                _print_plan(view.explain_plan(sparql, **how._asdict()), session.output)
                return
            if as_table and not session.output.as_json:
                session.output.line(f"at {view.coordinate.text}")
            answer = view.query(sparql, **how._asdict())
        if as_table and not session.output.as_json:
            _print_table(answer, base, session.output)
        else:
            _print_document(answer, format, session.output)


class _How(NamedTuple):
    """The arguments that `view.query` and `view.explain_plan` both take."""

    bindings: dict[str, Any]
    blank_nodes: Any
    strategy: Any


def _print_plan(plan: Plan, output: Output) -> None:
    if output.as_json:
        output.json(plan_values(plan))
    else:
        output.document(f"{plan}\n")


def _sparql(text: str | None, file: Path | None) -> str:
    if (text is None) == (file is None):
        raise typer.BadParameter("give the query, or --file FILE, or - to read it from stdin")
    if file is not None:
        try:
            content = file.read_bytes()
        except OSError as error:
            message = f"{escaped(str(file))} does not open: {error.strerror}"
            raise NotFound(message, code="no_file") from None
    elif text == "-":
        content = sys.stdin.buffer.read()
    else:
        return _text_not_name(text or "")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValidationError("the query is not UTF-8", code="bad_encoding") from None


def _text_not_name(text: str) -> str:
    if "{" not in text and len(text) < 256 and Path(text).is_file():
        raise typer.BadParameter(f"{text} is a file: read the query from it with --file")
    return text


def _bindings(pairs: list[str], words: Words) -> dict[str, Any]:
    bound: dict[str, Any] = {}
    for pair in pairs:
        name, equals, word = pair.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"--bind {pair}: write NAME=TERM")
        bound[name.lstrip("?$")] = words.term(word)
    return bound


def _print_table(answer: Any, base: KnowledgeBase, output: Output) -> None:
    kind = type(answer).__name__
    if kind == "Boolean":
        output.line(str(answer))
    elif kind == "Triples":
        output.document(answer.serialize("turtle") or "")
    elif not answer:
        output.line(f"no rows for {', '.join(answer.variables)}")
    else:
        cells = ([term_text(term, base.prefixes) for term in row] for row in answer)
        output.table(answer.variables, cells, keep_all=True)
        output.line(counted(len(answer), "row"))


def _print_document(answer: Any, format: str | None, output: Output) -> None:
    is_graph = type(answer).__name__ == "Triples"
    if output.as_json and format is None:
        format = "json-ld" if is_graph else "json"
    if type(answer).__name__ == "Boolean" and format in {None, "csv", "tsv"}:
        output.line(str(answer))
        return
    document = answer.serialize(format or ("turtle" if is_graph else "tsv"))
    output.document(document if document.endswith("\n") else document + "\n")
