-- What the periodic check of the audit log found. The last entry that was checked is kept: who removes the newest entries
-- leaves a chain that is whole, and too short.
create table console.act_checks (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  checked bigint not null check (checked >= 0),
  -- The last entry, and its hash; null: the log was empty.
  last_id bigint,
  last_hash bytea check (length(last_hash) = 32),
  -- The first entry that was changed, or that follows a removed one; null: all were whole.
  broken_at bigint
);
grant select, insert on console.act_checks to dineback_console;
create index acts_by_object_id on console.acts (object_id, id);

-- Returns whether the last check found the audit log whole, and its age in seconds.
create function audit_figures() returns table (figure text, partner_id text, state text, value double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
  (select 'audit_log_broken', '', '', (c.broken_at is not null)::int::double precision
    from console.act_checks c order by c.id desc limit 1)
  union all
  (select 'audit_log_check_age', '', '', extract(epoch from now() - c.at)
    from console.act_checks c order by c.id desc limit 1)
$$;
revoke execute on function audit_figures from public;
grant execute on function audit_figures to dineback_console;
