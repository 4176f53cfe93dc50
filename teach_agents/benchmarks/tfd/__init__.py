"""TfD: trajectory from dialogue. The whole session is to be carried out from all that was said in it."""
