"""The versions of the libraries that the committed figures are drawn with.

The bytes of a drawing depend on them. With these versions a figure can be drawn again and compared.
With others it cannot, although it shows the same. Nothing here imports matplotlib.
"""

from importlib.metadata import PackageNotFoundError, version

#: As in constraints.txt; a test compares the two. Draw all figures again where one of them changes.
PINNED = {
    "contourpy": "1.3.3",
    "fonttools": "4.68.0",
    "kiwisolver": "1.5.1",
    "matplotlib": "3.11.2",
    "numpy": "2.4.6",
    "pillow": "13.0.0",
}


def other_versions() -> list[str]:
    """Name each library whose installed version is not the pinned one.

    One reads like ``matplotlib 3.9.0 instead of 3.11.2``.

    Returns
    -------
    list of str
        Empty where a figure that is drawn again has the same bytes.
    """
    found = []
    for name, pinned in PINNED.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            installed = "missing"
        if installed != pinned:
            found.append(f"{name} {installed} instead of {pinned}")
    return found
