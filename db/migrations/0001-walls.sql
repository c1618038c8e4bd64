-- The group role of the application. Logins are made at start; this role can neither own nor bypass.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dineback_app') then
    create role dineback_app nologin nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'dineback_vault') then
    create role dineback_vault nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of the same server is being migrated at this moment
end
$$;

grant usage on schema public to dineback_app;

-- The partner of this connection. Null when nobody said: then no partner-owned row is visible.
create function current_partner() returns text
  language sql stable parallel safe
  return nullif(current_setting('dineback.partner', true), '');

-- Builds the wall around a partner-owned table: even its owner sees one partner at a time.
create procedure build_wall(owned regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', owned);
  execute format('alter table %s force row level security', owned);
  execute format(
    'create policy partner_wall on %s using (partner_id = current_partner()) with check (partner_id = current_partner())',
    owned);
  execute format('alter table %s alter column partner_id set default current_partner()', owned);
end
$$;

create table partners (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{1,30}$'),
  registered_at timestamptz not null default now()
);
grant select, insert on partners to dineback_app;

create table feature_flags (
  partner_id text not null references partners,
  kind text not null check (kind in ('authFlags', 'filters', 'partnerFeatureFlags')),
  name text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (partner_id, kind, name)
);
call build_wall('feature_flags');
grant select, insert, update, delete on feature_flags to dineback_app;
