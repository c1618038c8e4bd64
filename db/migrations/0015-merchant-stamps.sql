-- A start compares the restaurants of the search index with these columns, and reads only this index to do so.
create index merchants_by_state on merchants (id) include (version, updated_at);
