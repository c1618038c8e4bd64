-- What reports count, at the time at which it became known: each dine, and each card that is linked or removed. A dine is a
-- cleared payment of a member at a known restaurant; a refund or a correction is a further row, so that no row changes.
create table report_facts (
  id bigint generated always as identity primary key,
  partner_id text not null,
  at timestamptz not null default now(),
  kind text not null check (kind in ('dine', 'card')),
  -- The transaction or the card.
  subject_id bigint not null,
  member_id bigint not null,
  merchant_id bigint,
  -- 1, -1 when it no longer counts, or 0 when only its amount changes.
  count smallint not null check (count between -1 and 1),
  cents bigint not null default 0
);
create index report_facts_by_time on report_facts (partner_id, at);
create index report_facts_by_member on report_facts (member_id, kind, at);
call enable_tenant_isolation('report_facts');
grant select, insert on report_facts to dineback_app;

create function note_new_dines() returns trigger language plpgsql as $$
begin
  insert into report_facts (partner_id, kind, subject_id, member_id, merchant_id, count, cents)
    select partner_id, 'dine', id, member_id, merchant_id, 1, cleared_cents - refunded_cents from new_rows
    where member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized' order by id;
  return null;
end
$$;
create trigger note_new_dines after insert on transactions
  referencing new table as new_rows for each statement execute function note_new_dines();

create function note_changed_dines() returns trigger language plpgsql as $$
begin
  insert into report_facts (partner_id, kind, subject_id, member_id, merchant_id, count, cents)
    select partner_id, 'dine', id, member_id, merchant_id, sum(counted), sum(cents) from (
      select partner_id, id, member_id, merchant_id, 1 as counted, cleared_cents - refunded_cents as cents from new_rows
        where member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized'
      union all
      select partner_id, id, member_id, merchant_id, -1, refunded_cents - cleared_cents from old_rows
        where member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized') both_states
    group by partner_id, id, member_id, merchant_id having sum(counted) <> 0 or sum(cents) <> 0 order by id, sum(counted);
  return null;
end
$$;
create trigger note_changed_dines after update on transactions
  referencing old table as old_rows new table as new_rows for each statement execute function note_changed_dines();

create function note_card() returns trigger language plpgsql as $$
begin
  if new.removed_at is null or tg_op = 'UPDATE' then
    insert into report_facts (partner_id, kind, subject_id, member_id, count)
      values (new.partner_id, 'card', new.id, new.member_id, case when new.removed_at is null then 1 else -1 end);
  end if;
  return null;
end
$$;
create trigger note_linked_card after insert on cards for each row execute function note_card();
create trigger note_removed_card after update of removed_at on cards
  for each row when ((old.removed_at is null) <> (new.removed_at is null)) execute function note_card();

-- When an earlier dine became known is not stored: it counts when it was cleared, less what was refunded since. The owner
-- reads all rows, and writes those of one partner at a time.
do $$
declare
  partner text;
begin
  for partner in select id from partners loop
    perform set_config('dineback.partner', partner, true);
    insert into report_facts (partner_id, at, kind, subject_id, member_id, merchant_id, count, cents)
      select partner_id, coalesce(cleared_at, occurred_at), 'dine', id, member_id, merchant_id, 1, cleared_cents - refunded_cents
      from transactions
      where partner_id = partner and member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized'
      union all
      select partner_id, linked_at, 'card', id, member_id, null, 1, 0 from cards where partner_id = partner
      union all
      select partner_id, removed_at, 'card', id, member_id, null, -1, 0 from cards
      where partner_id = partner and removed_at is not null
      order by 2, 4;
  end loop;
  perform set_config('dineback.partner', '', true);
end
$$;

-- Members who left, by time.
create index members_by_leaving on members (partner_id, deleted_at) where deleted_at is not null;

-- The members with a dine in each month, for counting them without reading the dines again.
create table report_diners (
  partner_id text not null,
  month date not null check (extract(day from month) = 1),
  member_id bigint not null,
  primary key (partner_id, month, member_id)
);
create index report_diners_by_member on report_diners (member_id, month);
call enable_tenant_isolation('report_diners');
grant select, insert on report_diners to dineback_app;

-- The figures of finished days, weeks (from Monday) and months of a program, in its time zone. A row is written once and
-- never changed.
create table report_figures (
  partner_id text not null,
  period text not null check (period in ('day', 'week', 'month')),
  figure text not null,
  starts_on date not null,
  -- What the facts and the ledger say. Not shown.
  amount bigint not null,
  -- What is shown: null while it is about fewer than ten people. The next day that brings them to ten has the sum of both.
  shown bigint,
  primary key (partner_id, period, figure, starts_on)
);
call enable_tenant_isolation('report_figures');
grant select, insert on report_figures to dineback_app;

-- What reports show, and what may be read with other tools.
create view program_reports with (security_invoker = true) as
  select partner_id, period, starts_on, figure, shown as amount from report_figures;
grant select on program_reports to dineback_app;
