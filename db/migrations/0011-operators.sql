-- The console's own room: who may work on programs. The application's role cannot look in.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dineback_console') then
    create role dineback_console nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of the same server is being migrated at this moment
end
$$;
create schema console;
grant usage on schema console to dineback_console;
grant usage on schema public to dineback_console;

create table console.operators (
  id bigint generated always as identity primary key,
  email text not null check (length(email) between 3 and 120),
  name text not null check (length(name) between 1 and 80),
  password_hash text not null,
  role text not null check (role in ('editor', 'admin')),
  -- The programs an operator may work on; null stands for all.
  partners text[],
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index operators_by_email on console.operators (lower(email));

create table console.sessions (
  id_hash bytea primary key,
  operator_id bigint not null references console.operators,
  csrf_token text not null,
  began_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);

create table console.login_failures (
  name_hash bytea primary key,
  failures int not null,
  first_failure_at timestamptz not null default now(),
  locked_until timestamptz
);
grant select, insert on console.operators to dineback_console;
grant update (disabled_at, password_hash) on console.operators to dineback_console;
grant select, insert, update, delete on console.sessions, console.login_failures to dineback_console;

-- What editors work on, through the same walls as everybody.
grant select on partners to dineback_console;
grant select, insert on content_versions, content_releases to dineback_console;
grant update (withdrawn_by, withdrawn_at) on content_releases to dineback_console;
