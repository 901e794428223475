import json, sys, urllib.parse
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import validator_for

# Files without an absolute $id are named schema:/NAME; Python resolves references only against schemes that it is told of.
urllib.parse.uses_relative.append("schema")

try:  # jsonschema 4.18 and later
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012
    lookup = lambda schema, store: {"registry": Registry().with_contents(store.items(), default_specification=DRAFT202012)}
except ImportError:
    from jsonschema import RefResolver
    lookup = lambda schema, store: {"resolver": RefResolver(schema["$id"], schema, store)}

# Most formats are only known where further packages are, as by `pip install "jsonschema[format]"`.
claims = ["format-assertion"] if {"date-time", "uri", "duration"} <= FormatChecker.checkers.keys() else []

# Each schema is read in the dialect that its $schema names, and as 2020-12 where it names none.
def validator(schema, store):
    made = validator_for(schema, default=Draft202012Validator)
    return made(schema, format_checker=FormatChecker(), **lookup(schema, store))

def pointer(path):
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)

for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "hello":
        store = {schema["$id"]: schema for schema in message["schemas"]}
        validators = {id: validator(schema, store) for id, schema in store.items()}
        answer = {"ready": True, "name": "python-jsonschema", "claims": claims}
    elif message["command"] == "check":
        try:
            errors = validators[message["schema"]].iter_errors(message["data"])
            reasons = [{"at": pointer(error.absolute_path), "keyword": error.validator} for error in errors]
            answer = {"seq": message["seq"], "valid": not reasons, "errors": reasons}
        except Exception as error:  # such as a pattern that Python's re does not know
            answer = {"seq": message["seq"], "error": f"{type(error).__name__}: {error}"}
    else:
        break
    print(json.dumps(answer), flush=True)
