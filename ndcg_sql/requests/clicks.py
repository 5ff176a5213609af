"""How clicks are read, and become grades."""

from collections.abc import Mapping
from dataclasses import field
from itertools import pairwise
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, reading, shared
from ndcg_sql.requests.fields import frozen, option
from ndcg_sql.text import not_number, number
from ndcg_sql.wording import Blank, named, use

# The action that says that a document was shown.
IMPRESSION = "impression"


@frozen
class ClickGrading:
    """How clicks become grades."""

    model: choices.ClickModel = option(
        "coec (clicks over the clicks that the positions let expect) or ctr (clicks"
        " over impressions).",
        "MODEL",
        value="coec",
    )
    actions: Mapping[str, float] = option(
        "How many clicks an action is worth, such as add_to_cart=3, or 0 to ignore"
        " it; click=1 need not be said; may be repeated.",
        "A=W",
        word="action",
        example="add_to_cart=3",
        value={},
    )
    min_impressions: int = option(
        "Judge documents only for queries for which they were shown as often.",
        "N",
        least=1,
        value=20,
    )
    levels: tuple[str, ...] = option(
        "Make grades 0, 1, 2 ... of fractions: the least fraction of grade 1, of"
        " grade 2 and so on, such as 0.2,0.8,1.5.",
        "F,F...",
        value=(),
    )
    impressions: tuple[str, ...] = option(
        "Action that says that a document was shown, such as view, beside"
        " impression; may be repeated.",
        "A",
        word="impression",
        value=(),
    )

    def __post_init__(self) -> None:
        shared.check_choice("model", self.model, choices.ClickModel)
        for action, weight in self.actions.items():
            where = use(actions={action: weight})
            if action == IMPRESSION:
                raise NdcgSqlError("it says what was shown", "omit it", where=where)
            if weight != 0 and not 1e-6 <= weight <= 1e6:
                raise NdcgSqlError("must be 0, or from 1e-6 to 1e6", where=where)
        for action in self.impressions:
            if action == IMPRESSION:
                raise NdcgSqlError(
                    "it says so by itself", "omit it", where=use(impressions=[action])
                )
            if action == "click" and action not in self.actions:
                raise NdcgSqlError(
                    "a click does not say what was shown, too",
                    "omit it",
                    where=use(impressions=[action]),
                )
            if action in self.weights:
                raise NdcgSqlError(
                    use(actions={action: self.weights[action]}) + " says what it is",
                    "omit one of the two",
                    where=use(impressions=[action]),
                )
        if not any(self.weights.values()):
            raise NdcgSqlError(
                "no action counts as a click",
                "weigh one: " + use(actions={"NAME": 1}),
                where=named("actions"),
            )
        limits = self.limits
        if any(one >= next_one for one, next_one in pairwise((0.0, *limits))):
            raise NdcgSqlError(
                "levels must be above 0, each above the one before",
                where=use(levels=",".join(self.levels)),
            )

    @property
    def weights(self) -> dict[str, float]:
        """How many clicks each action is worth."""
        return {"click": 1.0, **self.actions}

    @property
    def limits(self) -> tuple[float, ...]:
        """The least fraction of each grade from 1 on; none if grades are fractions.

        Raises NdcgSqlError for what is not a number.
        """
        texts = [text.strip() for one in self.levels for text in one.split(",")]
        numbers = [number(text) for text in texts]
        for text, value in zip(texts, numbers, strict=True):
            if value is None:
                raise NdcgSqlError(not_number(text), where=use(levels=text))
        return tuple(value for value in numbers if value is not None)


@frozen
class LoadClicksRequest(ClickGrading):
    """Make a judgment set of what users clicked.

    Each row of FILE is an event: a query, a document, an action and the position of
    the document. The action impression says that it was shown there. Or each row is
    what was shown, with a column of clicks. Several files are one log.
    """

    dataset: shared.NewDataset = "default"
    name: str | None = option(
        "Name of the judgment set; that of the file or table if omitted.", "N"
    )
    searches: Path | None = option(
        "Searches that the events belong to, with their queries and what they"
        " showed: the index ubi_queries of OpenSearch, an object on each line.",
        "SEARCHES",
        is_input=True,
    )
    impressions_from: str | None = option(
        "Run of the dataset whose ranking every search showed, for clicks without"
        " impressions.",
        "RUN",
        names="runs",
    )
    depth: int | None = option(
        "How many documents of the run a search showed.", "N", least=1, default="10"
    )
    columns: reading.Columns = field(default_factory=dict[str, str])
    where: reading.Where = field(default_factory=dict[str, str])
    format_in: reading.FormatIn = None
    encoding: reading.Encoding = None
    evaluate: shared.Evaluate = True
    replace: shared.Replace = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth is not None and self.impressions_from is None:
            raise NdcgSqlError(
                "a run has it, and none was shown",
                "name it: " + use(impressions_from=Blank("RUN")),
                where=named("depth"),
            )
        if "search_id" in self.columns and self.impressions_from is None:
            raise NdcgSqlError(
                "read for clicks alone",
                "omit it, or name the run that was shown: "
                + use(impressions_from=Blank("RUN")),
                where=use(columns={"search_id": self.columns["search_id"]}),
            )
        if self.impressions_from is not None and self.searches is not None:
            raise NdcgSqlError(
                named("searches") + " says what was shown",
                "omit one of the two",
                where=named("impressions_from"),
            )
