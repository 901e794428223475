package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var escaped = strings.NewReplacer("~", "~0", "/", "~1")

func reasons(err *jsonschema.ValidationError) (found []any) {
	for _, cause := range err.Causes {
		found = append(found, reasons(cause)...)
	}
	if path := err.ErrorKind.KeywordPath(); len(err.Causes) == 0 && len(path) > 0 {
		at := ""
		for _, name := range err.InstanceLocation {
			at += "/" + escaped.Replace(name)
		}
		found = append(found, map[string]any{"at": at, "keyword": path[0]})
	}
	return found
}

func main() {
	compiler, in, out := jsonschema.NewCompiler(), json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	compiler.AssertFormat()
	in.UseNumber()
	for {
		var message map[string]any
		if in.Decode(&message) != nil || message["command"] == "stop" {
			return
		}
		if message["command"] == "hello" {
			for _, schema := range message["schemas"].([]any) {
				compiler.AddResource(schema.(map[string]any)["$id"].(string), schema)
			}
			out.Encode(map[string]any{"ready": true, "name": "go-jsonschema", "claims": []string{"format-assertion"}})
			continue
		}
		answer := map[string]any{"seq": message["seq"], "valid": true}
		if schema, err := compiler.Compile(message["schema"].(string)); err != nil {
			answer = map[string]any{"seq": message["seq"], "error": err.Error()}
		} else if err := schema.Validate(message["data"]); err != nil {
			answer = map[string]any{"seq": message["seq"], "valid": false, "errors": reasons(err.(*jsonschema.ValidationError))}
		}
		out.Encode(answer)
	}
}
