"""Read the pages that the program writes."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The tags of a page, and the text of its cells and paragraphs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data)
