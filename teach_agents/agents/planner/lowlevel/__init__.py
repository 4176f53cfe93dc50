"""The paper's rule-based protocol: the Commander dictates primitive actions (TEACh paper, appendix D)."""
