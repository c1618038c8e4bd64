-- Entries of the audit log are found by the beginning of what they are about.
create index acts_by_label on console.acts (lower(object_label) text_pattern_ops, id) where object_label <> '';
