"""ProntoQA: does a statement follow from some facts and rules, or its opposite?"""
