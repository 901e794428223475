package main

import (
	"encoding/json"
	"os"
	"strings"

	schema "github.com/xeipuuv/gojsonschema"
)

func main() {
	loader, in, out := schema.NewSchemaLoader(), json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	// It knows no dialect after draft-07, and reads the schemas as that.
	loader.Draft, loader.AutoDetect = schema.Draft7, false
	compiled := map[string]*schema.Schema{}
	in.UseNumber()
	for {
		var message map[string]any
		if in.Decode(&message) != nil || message["command"] == "stop" {
			return
		}
		answer := map[string]any{"seq": message["seq"]}
		if message["command"] == "hello" {
			for _, each := range message["schemas"].([]any) {
				loader.AddSchemas(schema.NewGoLoader(hosted(each)))
			}
			answer = map[string]any{"ready": true, "name": "go-gojsonschema", "claims": []string{"format-assertion"}}
		} else if result, err := validate(loader, compiled, message); err != nil {
			answer["error"] = err.Error()
		} else {
			found := []map[string]string{}
			for _, each := range result.Errors() {
				found = append(found, map[string]string{"at": pointer(each.Context()), "code": each.Type()})
			}
			answer["valid"], answer["errors"] = result.Valid(), found
		}
		out.Encode(answer)
	}
}

// Files without an absolute $id are named schema:/NAME, and it takes no address without a host for one.
func withHost(address string) string {
	if strings.HasPrefix(address, "schema:/") {
		return "https://files.invalid/" + strings.TrimPrefix(address, "schema:/")
	}
	return address
}

func hosted(value any) any {
	switch each := value.(type) {
	case []any:
		for index := range each {
			each[index] = hosted(each[index])
		}
	case map[string]any:
		for name := range each {
			if address, isText := each[name].(string); isText && (name == "$id" || name == "$ref") {
				each[name] = withHost(address)
			} else {
				each[name] = hosted(each[name])
			}
		}
	}
	return value
}

// Parts are separated by what no name is likely to have, since it escapes nothing.
func pointer(context *schema.JsonContext) string {
	at := strings.NewReplacer("~", "~0", "/", "~1", "\x00", "/").Replace(context.String("\x00"))
	return strings.TrimPrefix(at, "(root)")
}

func validate(loader *schema.SchemaLoader, compiled map[string]*schema.Schema, message map[string]any) (*schema.Result, error) {
	id := withHost(message["schema"].(string))
	if compiled[id] == nil {
		made, err := loader.Compile(schema.NewReferenceLoader(id))
		if err != nil {
			return nil, err
		}
		compiled[id] = made
	}
	return compiled[id].Validate(schema.NewGoLoader(message["data"]))
}
