import json, sys
from jsonschema import Draft202012Validator, FormatChecker, RefResolver

for line in sys.stdin:
    message = json.loads(line)
    if message["command"] == "hello":
        store = {schema["$id"]: schema for schema in message["schemas"]}
        answer = {"ready": True, "name": "python-jsonschema", "claims": ["format-assertion"]}
    elif message["command"] == "check":
        schema = store[message["schema"]]
        validator = Draft202012Validator(schema, RefResolver(schema["$id"], schema, store), FormatChecker())
        errors = [{"at": "".join(f"/{part}" for part in error.absolute_path), "keyword": error.validator} for error in validator.iter_errors(message["data"])]
        answer = {"seq": message["seq"], "valid": not errors, "errors": errors}
    else:
        break
    print(json.dumps(answer), flush=True)
