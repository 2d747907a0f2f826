"""Messages in the reader's language, by two catalogues of the same ids: `en/*.ftl` and `ko/*.ftl`.

Their syntax is Fluent's (projectfluent.org), read and formatted by Mozilla's crates: whole sentences with named values, plurals and
choices belong to the translation, not to the code, and files need no compiling, which gettext's do.
"""

from ssdlab.words.catalogue import ids, in_english, in_language
from ssdlab.words.language import Language

__all__ = ["Language", "ids", "in_english", "in_language"]
