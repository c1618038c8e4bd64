-- The form service. The application's role has no access to this schema, and the form service none to others.
create schema forms;
grant usage on schema forms to dineback_forms, dineback_backup;
alter default privileges in schema forms grant select on tables to dineback_backup;
alter default privileges in schema forms grant select on sequences to dineback_backup;

create table forms.responses (
  -- Created with the form, so that a response that is sent twice is stored once.
  id uuid primary key,
  service_code text not null check (length(service_code) between 1 and 60),
  form_id text not null check (length(form_id) between 1 and 60),
  -- By field: a text, or the list of the selected choices.
  field_values jsonb not null,
  tracking jsonb not null default '{}',
  received_at timestamptz not null default now(),
  -- The program is notified of a review until it has acknowledged it, or until this time.
  notify_until timestamptz,
  notified_at timestamptz
);
create index responses_by_form on forms.responses (service_code, form_id, received_at);
create index responses_unnotified on forms.responses (received_at) where notify_until is not null and notified_at is null;
grant select, insert on forms.responses to dineback_forms;
grant update (notified_at) on forms.responses to dineback_forms;
