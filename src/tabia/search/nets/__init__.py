"""Nets that guide a search: architectures, loss, symmetries, folders, ONNX, evaluators."""
