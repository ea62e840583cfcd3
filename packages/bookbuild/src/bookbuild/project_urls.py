"""Where the project is to be had: read from [project.urls] of pyproject.toml; pages, notebooks, buttons and citation follow."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bookbuild import ROOT

KEYS = {"Repository", "Site", "Package"}


# where: let the project have an address
# from `[project.urls]` in `pyproject.toml` to pages, notebooks, buttons, citation
@dataclass(frozen=True)
class ProjectUrls:
    """Each is an address without a slash at its end, or "" while there is none."""

    repository: str = ""  # https://github.com/OWNER/robotdyn
    site: str = ""  # https://OWNER.github.io/robotdyn: where the built book lies
    package: str = ""  # https://pypi.org/project/robotdyn

    def notebook_services(self, name: str) -> dict[str, str]:
        """Return {service: where it runs a notebook}, of services that read the branch gh-pages of a repository on GitHub."""
        if urlsplit(self.repository).netloc != "github.com" or not self.site:
            return {}
        owner = urlsplit(self.repository).path.strip("/")
        return {
            "Colab": f"https://colab.research.google.com/github/{owner}/blob/gh-pages/notebooks/{name}",
            "Binder": f"https://mybinder.org/v2/gh/{owner}/gh-pages?labpath=notebooks/{name}",
        }

    def pip_requirements(self, wheels: list[str]) -> list[str]:
        """Return what `pip install` is given: names of packages where they are published, or else the wheels of the book."""
        if self.package:
            return [wheel.split("-")[0] for wheel in wheels]
        return [f"{self.site}/notebooks/{wheel}" if self.site else wheel for wheel in wheels]


def read_project_urls(root: Path = ROOT) -> ProjectUrls:
    """Return the Address that the project gives itself.

    Raises ValueError with a sentence for a word or an address that nothing would follow.
    """
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf8"))["project"].get("urls", {})
    if unknown := set(urls) - KEYS:
        raise ValueError(f"[project.urls] knows {', '.join(sorted(KEYS))}, got {', '.join(sorted(unknown))}")
    for key, url in urls.items():
        if urlsplit(url).scheme != "https" or not urlsplit(url).netloc:
            raise ValueError(f"[project.urls] {key} is an address that begins with https://, got {url!r}")
    return ProjectUrls(**{key.lower(): url.rstrip("/") for key, url in urls.items()})
