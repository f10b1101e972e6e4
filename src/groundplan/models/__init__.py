"""Language models behind one small protocol: messages in, reply and usage out (see protocol.py)."""
