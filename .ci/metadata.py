"""The page of a release on the package index: the project's addresses, and a README whose links work there.

A build in a workflow of GitHub knows the repository. A build elsewhere keeps the README as it is.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?\[[^\]]*\]\(|<img [^>]*src=\")(?!https?:|#)([^)\"]+)")


class IndexPage(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        readme = Path(self.root, "README.md").read_text("utf-8")
        if repository := os.environ.get("GITHUB_REPOSITORY"):
            home = f"{os.environ['GITHUB_SERVER_URL']}/{repository}"
            readme = _absolute(readme, home, os.environ["GITHUB_REF_NAME"])
            metadata["urls"] = {
                "Homepage": home,
                "Changelog": f"{home}/blob/main/CHANGELOG.md",
                "Guide": f"{home}/blob/main/generala_cli/guide/en/table.md",
                "Issues": f"{home}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}


def _absolute(readme: str, home: str, ref: str) -> str:
    def target(link: re.Match[str]) -> str:
        before, path = link.groups()
        return f"{before}{home}/{'blob' if before.startswith('[') else 'raw'}/{ref}/{path}"

    return _LINK.sub(target, readme)
