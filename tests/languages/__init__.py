"""The languages: the texts to translate, and checks that every language is complete."""
