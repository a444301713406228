"""Other libraries at comparable work, in the same run. A module a library; turnlog needs none of them."""
