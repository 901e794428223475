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
				loader.AddSchemas(schema.NewGoLoader(each))
			}
			answer = map[string]any{"ready": true, "name": "go-gojsonschema", "claims": []string{"format-assertion"}}
		} else if result, err := validate(loader, compiled, message); err != nil {
			answer["error"] = err.Error()
		} else {
			found := []map[string]string{}
			for _, each := range result.Errors() {
				at := strings.TrimPrefix(each.Context().String("/"), "(root)")
				found = append(found, map[string]string{"at": at, "code": each.Type()})
			}
			answer["valid"], answer["errors"] = result.Valid(), found
		}
		out.Encode(answer)
	}
}

func validate(loader *schema.SchemaLoader, compiled map[string]*schema.Schema, message map[string]any) (*schema.Result, error) {
	id := message["schema"].(string)
	if compiled[id] == nil {
		made, err := loader.Compile(schema.NewReferenceLoader(id))
		if err != nil {
			return nil, err
		}
		compiled[id] = made
	}
	return compiled[id].Validate(schema.NewGoLoader(message["data"]))
}
