"""The snippets that `TOPIC=PATH...` names, as modules, and the topics of those that do not start."""

import importlib.util
import sys
import traceback


def loaded(args):
    modules, failed = {}, []
    for topic, path in (arg.split("=", 1) for arg in args):
        spec = importlib.util.spec_from_file_location(topic.replace("-", "_"), path)
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            modules[topic] = module
        except Exception:
            traceback.print_exc(file=sys.stderr)
            failed.append(topic)
    return modules, failed
