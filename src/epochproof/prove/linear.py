"""stub"""


def linearised(condition, ranges, limit):
    from epochproof.prove.solver import Answer, raw

    return raw(condition, limit)
