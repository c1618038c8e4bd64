-- Group roles. The server creates one login per group at startup. None of the groups owns a table or bypasses
-- row-level security. Roles belong to the database server, so they may exist already.
--   dineback_app      the member app: everything in the schema public
--   dineback_vault    the card vault: the schema vault
--   dineback_forms    the form service: the schema forms
--   dineback_console  the console: the schema console, and selected tables and columns of public
--   dineback_backup   reads every row of every partner
do $$
declare
  group_name text;
begin
  foreach group_name in array
    array['dineback_app', 'dineback_vault', 'dineback_forms', 'dineback_console', 'dineback_backup']
  loop
    begin
      if not exists (select from pg_roles where rolname = group_name) then
        execute format('create role %I nologin nobypassrls', group_name);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- Another database of the same server is being migrated at the same time.
    end;
  end loop;
end
$$;

-- Row-level security is forced on the owner of the database, too. As a member of dineback_backup the owner can read all
-- rows; its writes remain limited to one partner at a time.
do $$
begin
  if not pg_has_role(current_user, 'dineback_backup', 'usage') then
    execute format('grant dineback_backup to %I', current_user);
  end if;
end
$$;

grant usage on schema public to dineback_app, dineback_console, dineback_backup;

-- Backups read all tables and sequences, including those that later migrations add. The grant covers
-- schema_migrations, which exists before the first migration.
grant select on all tables in schema public to dineback_backup;
alter default privileges in schema public grant select on tables to dineback_backup;
alter default privileges in schema public grant select on sequences to dineback_backup;

-- Returns the partner that the transaction has set. Null when none is set: no partner-owned row is visible then.
create function current_partner() returns text
  language sql stable parallel safe
  return nullif(current_setting('dineback.partner', true), '');

create procedure allow_backup_reads(owned regclass)
  language plpgsql as $$
begin
  execute format('create policy backup_reads on %s for select to dineback_backup using (true)', owned);
end
$$;

-- Isolates the rows of a table by their partner_id. Applies to the owner of the table, too.
create procedure enable_tenant_isolation(owned regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', owned);
  execute format('alter table %s force row level security', owned);
  execute format(
    'create policy tenant_isolation on %s using (partner_id = current_partner()) with check (partner_id = current_partner())',
    owned);
  execute format('alter table %s alter column partner_id set default current_partner()', owned);
  call allow_backup_reads(owned);
end
$$;

create table partners (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{1,30}$'),
  registered_at timestamptz not null default now()
);
grant select, insert on partners to dineback_app;

-- Trigger function that replaces a foreign key to partners. It runs once per statement and locks nothing; a foreign key
-- would lock the one row of the partner for every inserted row. Partners are never deleted.
create function check_partner_exists() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct partner_id from new_rows) f
    where not exists (select from partners p where p.id = f.partner_id)
  ) then
    raise exception 'unknown partner in %', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;

-- Counters that lock what is tried too often: sign-ins by name, device or address, and failing forms. The key is a
-- keyed hash of the input, so that existing and unknown names behave alike.
create table attempts (
  partner_id text not null references partners,
  key_hash bytea not null,
  count int not null default 0,
  started_at timestamptz not null default now(),
  locked_until timestamptz,
  primary key (partner_id, key_hash)
);
call enable_tenant_isolation('attempts');
grant select, insert, update, delete on attempts to dineback_app;

-- Solutions of the bot check that were accepted once.
create table used_bot_check_proofs (
  partner_id text not null references partners,
  proof_hash bytea not null,
  expires_at timestamptz not null,
  primary key (partner_id, proof_hash)
);
call enable_tenant_isolation('used_bot_check_proofs');
grant select, insert, delete on used_bot_check_proofs to dineback_app;

-- Responses to requests that may be repeated. Written in the transaction of the request's effect.
create table idempotency_keys (
  partner_id text not null references partners,
  scope text not null,
  key text not null check (length(key) between 8 and 200),
  request_hash bytea not null,
  reply jsonb not null,
  created_at timestamptz not null default now(),
  primary key (partner_id, scope, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
call enable_tenant_isolation('idempotency_keys');
grant select, insert, delete on idempotency_keys to dineback_app;

-- Audit log, append-only. Each entry contains the hash of the previous one.
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
call enable_tenant_isolation('audit_entries');
grant select, insert on audit_entries to dineback_app;
