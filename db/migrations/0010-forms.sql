-- The form service's own room. The application's role cannot look in, and the form service cannot look out.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dineback_forms') then
    create role dineback_forms nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of the same server is being migrated at this moment
end
$$;
create schema forms;
grant usage on schema forms to dineback_forms;

create table forms.responses (
  -- Made with the form, so that what is sent twice is kept once.
  id uuid primary key,
  service_code text not null check (length(service_code) between 1 and 60),
  form_id text not null check (length(form_id) between 1 and 60),
  -- By question: a text, or a list of the choices.
  answers jsonb not null,
  tracking jsonb not null default '{}',
  received_at timestamptz not null default now()
);
create index responses_by_form on forms.responses (service_code, form_id, received_at);
grant select, insert on forms.responses to dineback_forms;
