use serde_json::{json, Value};
use std::{collections::HashMap, io};

fn main() {
    let mut schemas: HashMap<String, Value> = HashMap::new();
    let mut validators: HashMap<String, Result<jsonschema::Validator, String>> = HashMap::new();
    for line in io::stdin().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match message["command"].as_str() {
            Some("hello") => {
                let given = message["schemas"].as_array().unwrap().iter();
                schemas = given.map(|each| (each["$id"].as_str().unwrap().to_string(), each.clone())).collect();
                json!({ "ready": true, "name": "rust-jsonschema", "claims": ["format-assertion"] })
            }
            Some("check") => {
                let validator = validators.entry(message["schema"].as_str().unwrap().to_string()).or_insert_with_key(|id| {
                    let resource = |each: &Value| jsonschema::Resource::from_contents(each.clone()).unwrap();
                    let others = schemas.iter().map(|(id, each)| (id.clone(), resource(each)));
                    jsonschema::options().should_validate_formats(true).with_resources(others).build(&schemas[id]).map_err(|error| error.to_string())
                });
                let reason = |error: jsonschema::ValidationError| json!({ "at": error.instance_path.as_str(), "message": error.to_string() });
                match validator {
                    Ok(validator) => {
                        let errors: Vec<Value> = validator.iter_errors(&message["data"]).map(reason).collect();
                        json!({ "seq": message["seq"], "valid": errors.is_empty(), "errors": errors })
                    }
                    Err(why) => json!({ "seq": message["seq"], "error": why }),
                }
            }
            _ => break,
        };
        println!("{answer}");
    }
}
