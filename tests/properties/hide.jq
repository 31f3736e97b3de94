# SQL that changes whatever a caller may not see: texts to ones that start with HIDDEN, numbers, dates
# and relations to others, and half of the entries go. It reads the schema files by itself, so that
# what it takes for hidden is not what the application does.
#
#   jq -nr --argjson columns '[["articles","title","varchar"],…]' --argjson actions '["api::…find",…]' \
#       --argjson caller 2 --arg hide values|drafts \
#       --arg links links --arg morphs morphs --arg components components -f hide.jq schema.json…
#
# `links`, `morphs` and `components` are the ends of such tables' names. `columns` are the database's, `actions` what the caller may do, `caller` is a user's id or null.

# Names as the database writes them, whatever its rules for digits and capitals.
def bare: ascii_downcase | gsub("[^a-z0-9]"; "");

def uid:
  if test("/components/") then capture("/components/(?<a>[^/]+)/(?<b>[^/]+)[.]json$") | "\(.a).\(.b)"
  elif test("/extensions/") then
    capture("/extensions/(?<a>[^/]+)/content-types/(?<b>[^/]+)/") | "plugin::\(.a).\(.b)"
  else capture("/api/(?<a>[^/]+)/content-types/(?<b>[^/]+)/") | "api::\(.a).\(.b)" end;

def files: [inputs | . + {uid: (input_filename | uid)}];

# What the project has no files of.
def built_in: [
  {uid: "plugin::upload.file", collectionName: "files",
   attributes: {folderPath: {type: "string", private: true},
                folder: {type: "relation", private: true, target: "plugin::upload.folder"}}},
  {uid: "plugin::users-permissions.role", collectionName: "up_roles", keeps: ["type"], attributes: {}},
  {uid: "admin::user", collectionName: "admin_users", attributes: {}}];

def columns_of($table): [$columns[] | select(.[0] == $table)];
def tables: $columns | map(.[0]) | unique;
def table($wanted): tables[] | select(bare == $wanted);

def other:
  .[1] as $name | "`\($name)` = " +
  ({varchar: "CONCAT('HIDDEN ', id)", longtext: "CONCAT('\"HIDDEN ', id, '\"')",
    tinyint: "1 - COALESCE(`\($name)`, 0)", date: "'2037-12-31'", time: "'23:59:58'",
    datetime: "'2037-12-31 23:59:58'", timestamp: "'2037-12-31 23:59:58'"}[.[2]]
   // "id + 777000");

# Columns to change to other values, in the rows that satisfy `condition`.
def change($table; $condition):
  if length > 0 then "UPDATE `\($table)` SET \(map(other) | join(", ")) WHERE \($condition);"
  else empty end;

def visible_columns($type):
  (["id", "published_at", "created_by_id", "updated_by_id"] + ($type.keeps // [])) as $kept
  | columns_of($type.collectionName) | map(select(.[1] as $name | $kept | index($name) | not));

def may_find: "\(.).find" as $action | $actions | index($action) != null;
def may_read: may_find or ("\(.).findOne" as $action | $actions | index($action) != null);

# The links of attribute `key`, of which this type's table is one side.
def without_link($type; $key; $attribute):
  if $attribute.type == "relation" then
    (table(($type.collectionName + $key + $links) | bare) | "DELETE FROM `\(.)`;")
  elif $attribute.type == "media" then
    # The entry stays among the `related` of the file, which is public.
    "UPDATE files_related_\($morphs) SET field = 'none' WHERE field = '\($key)' AND related_type = '\($type.uid)';"
  elif $attribute.type | IN("component", "dynamiczone") then
    "DELETE FROM `\($type.collectionName)_\($components)` WHERE field = '\($key)';"
  else empty end;

def scalar: .type | IN("relation", "media", "component", "dynamiczone") | not;

def private_values($type):
  ($type.attributes | to_entries | map(select(.value.private or .value.type == "password"))) as $hidden
  | ($hidden | map(select(.value | scalar).key | bare)) as $names
  | columns_of($type.collectionName) | map(select(.[1] as $name | $names | index($name | bare)))
  | if length < ($names | length) then error("\($type.uid): no columns for \($names)") else . end
  | change($type.collectionName; "TRUE"),
    ($hidden[] | without_link($type; .key; .value));

def hidden_type($type):
  "id <> \(if $type.uid == "plugin::users-permissions.user" then $caller // 0 else 0 end)" as $others
  | (visible_columns($type) | map(select(.[1] | IN("blocked", "confirmed") | not))
     | change($type.collectionName; $others)),
    if $type.uid | startswith("api::") then "DELETE FROM `\($type.collectionName)` WHERE id % 2 = 0;"
    else empty end;

def hidden_relations($type; $types):
  $type.attributes | to_entries[]
  | select(.value.type == "relation" and .value.target and (.value.mappedBy | not))
  # It says who the caller is.
  | select(.value.target != "plugin::users-permissions.role")
  # Through its inverse, a relation is seen from the other type.
  | select((.value.target | may_find | not) and
           ((.value.inversedBy | not) or (.value.target | may_read | not)))
  | without_link($type; .key; .value);

# Types that show who made an entry.
def with_creators($types): $types | map(select(.options.populateCreatorFields).collectionName);

def creators($types):
  with_creators($types) as $shown
  | [$columns[] | select(.[1] | IN("created_by_id", "updated_by_id"))
     | select(.[0] as $table | $shown | index($table) | not)][]
  | "UPDATE `\(.[0])` SET `\(.[1])` = NULL;";

def quoted: map("'\(.)'") | join(", ");

def hidden_morphs($types):
  ($types | map(.uid | select(startswith("api::")) | select(may_read | not)) | quoted) as $hidden
  | ($types | map(.uid | select(startswith("api::")) | select(may_find | not)) | quoted) as $unfound
  | if $hidden == "" then empty else
      "DELETE FROM files_related_\($morphs) WHERE related_type IN (\($hidden));" end,
    if $unfound == "" then empty else
      "DELETE FROM comments_related_\($morphs) WHERE related_type IN (\($unfound));",
      "UPDATE reactions SET target_id = NULL WHERE target_type IN (\($unfound));" end;

def drafts($type):
  select($type.options.draftAndPublish)
  | (visible_columns($type) | change($type.collectionName; "published_at IS NULL")),
    "DELETE FROM `\($type.collectionName)` WHERE published_at IS NULL AND id % 2 = 0;";

(files + built_in) as $types
| "SET FOREIGN_KEY_CHECKS = 1;",
  if $hide == "drafts" then $types[] | drafts(.)
  else
    ($types[] | private_values(.)),
    ($types[] | select(.uid | test("::")) | select(.uid != "plugin::upload.file")
      | select(.uid != "admin::user" or with_creators($types) == [])
      | select(.uid | may_read | not) | hidden_type(.)),
    ($types[] | hidden_relations(.; $types)),
    hidden_morphs($types),
    creators($types)
  end
