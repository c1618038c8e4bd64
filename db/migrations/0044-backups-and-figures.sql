-- Reads every row of every program, for backups. Row-level security is forced on the owner too: a dump by the owner
-- failed, or, with row security switched on, left rows out without saying so. It can only read.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dineback_backup') then
    create role dineback_backup nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of the same server is being migrated at this moment
end
$$;
-- The owner of the database is a member, and so sees all rows when it reads. What it writes is checked as before.
do $$
begin
  if not pg_has_role(current_user, 'dineback_backup', 'usage') then
    execute format('grant dineback_backup to %I', current_user);
  end if;
end
$$;

create procedure let_backups_read(owned regclass)
  language plpgsql as $$
begin
  execute format('create policy backups_read_all on %s for select to dineback_backup using (true)', owned);
end
$$;

create or replace procedure build_wall(owned regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', owned);
  execute format('alter table %s force row level security', owned);
  execute format(
    'create policy partner_wall on %s using (partner_id = current_partner()) with check (partner_id = current_partner())',
    owned);
  execute format('alter table %s alter column partner_id set default current_partner()', owned);
  call let_backups_read(owned);
end
$$;

do $$
declare
  owned regclass;
begin
  for owned in
    select oid::regclass from pg_class
    where relrowsecurity and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
  loop
    call let_backups_read(owned);
  end loop;
end
$$;

-- What later migrations add is covered by the default privileges; impressions' months are made by the owner as well.
do $$
declare
  area text;
begin
  foreach area in array array['public', 'vault', 'forms', 'console'] loop
    execute format('grant usage on schema %I to dineback_backup', area);
    execute format('grant select on all tables in schema %I to dineback_backup', area);
    execute format('grant select on all sequences in schema %I to dineback_backup', area);
    execute format('alter default privileges in schema %I grant select on tables to dineback_backup', area);
    execute format('alter default privileges in schema %I grant select on sequences to dineback_backup', area);
  end loop;
end
$$;

-- What the metrics count, found without reading whole tables.
create index transactions_unmatched on transactions (partner_id, unmatched, dined_at) where unmatched is not null;
create index mails_failed on mails (partner_id) where status = 'failed';
create index notices_failed on notices (partner_id) where status = 'failed';
create index statement_credits_failed on statement_credits (partner_id) where status in ('rejected', 'error');
create index feed_files_unfinished on feed_files (partner_id, started_at) where finished_at is null;

-- Counts and ages of what waits or failed, in every program; no personal data.
create function operation_figures() returns table (figure text, partner_id text, state text, value double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'emails', m.partner_id, m.status, count(*)::double precision
    from mails m where m.status = 'waiting' group by 2, 3
  union all
  select 'emails', m.partner_id, m.status, count(*) from mails m where m.status = 'failed' group by 2, 3
  union all
  select 'notifications', n.partner_id, n.status, count(*) from notices n where n.status = 'waiting' group by 2, 3
  union all
  select 'notifications', n.partner_id, n.status, count(*) from notices n where n.status = 'failed' group by 2, 3
  union all
  select 'payouts', s.partner_id, 'waiting', count(*)
    from statement_credits s where s.status in ('pending', 'pending_received') group by 2
  union all
  select 'payouts', s.partner_id, 'failed', count(*)
    from statement_credits s where s.status in ('rejected', 'error') group by 2
  union all
  select 'claims', c.partner_id, 'open', count(*) from claims c where c.decided_at is null group by 2
  union all
  select 'claims', c.partner_id, 'decided', count(*)
    from claims c where c.decided_at is not null and c.settled_at is null group by 2
  union all
  select 'reservations', r.partner_id, 'unsettled', count(*)
    from reservations r where r.status in ('booking', 'cancelling') group by 2
  union all
  select 'unmatched_transactions', t.partner_id, t.unmatched, count(*)
    from transactions t where t.unmatched is not null group by 2, 3
  union all
  select 'feed_files', f.partner_id, 'unfinished', count(*) from feed_files f where f.finished_at is null group by 2
  union all
  select 'oldest', m.partner_id, 'email', extract(epoch from now() - min(m.created_at))
    from mails m where m.status = 'waiting' group by 2
  union all
  select 'oldest', s.partner_id, 'payout', extract(epoch from now() - min(s.created_at))
    from statement_credits s where s.status in ('pending', 'pending_received') group by 2
  union all
  select 'oldest', c.partner_id, 'claim', extract(epoch from now() - min(c.opened_at))
    from claims c where c.decided_at is null group by 2
  union all
  select 'oldest', t.partner_id, 'unmatched_transaction', extract(epoch from now() - min(t.dined_at))
    from transactions t where t.unmatched is not null group by 2
  union all
  select 'oldest', f.partner_id, 'feed_file', extract(epoch from now() - min(f.started_at))
    from feed_files f where f.finished_at is null group by 2
  union all
  -- Messages are only ever added, so the newest lie at the end of the table, before at most 64 pages made in advance.
  select 'feed_newest_message_age', '', '', extract(epoch from now() - max(f.received_at))
    from feed_messages f
    where f.ctid >= format('(%s,0)', greatest(
      pg_relation_size('feed_messages') / current_setting('block_size')::int - 72, 0))::tid
    having count(*) > 0
$$;
revoke execute on function operation_figures from public;
grant execute on function operation_figures to dineback_console;
