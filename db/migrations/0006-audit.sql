-- Who did what to whom; each entry carries the hash of the one before it.
create table audit_entries (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  actor text not null,
  member_id bigint,
  action text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_entries_by_member on audit_entries (member_id, id);
call build_wall('audit_entries');
grant select, insert on audit_entries to dineback_app;
