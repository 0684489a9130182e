"""(prediction, gold, language) -> Verdict, one verifier a module."""
