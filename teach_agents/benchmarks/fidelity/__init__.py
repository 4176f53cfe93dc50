"""How faithful the embedded simulator is: recorded human sessions carried out again, and where they part."""
