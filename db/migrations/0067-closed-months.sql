-- Months of settlement (UTC) that an operator has closed: nothing is posted in them any more. What comes later is posted on
-- its own day, in an open month.
create table closed_months (
  partner_id text not null references partners,
  month date not null check (month = date_trunc('month', month)::date),
  closed_at timestamptz not null default now(),
  closed_by text not null,
  reason text not null check (length(reason) between 3 and 200),
  primary key (partner_id, month)
);
call enable_tenant_isolation('closed_months');
grant select, insert on closed_months to dineback_app;

-- An entry has the time at which its transaction began. One that began in an earlier month waits for a month that is being
-- closed, and is refused in a closed one: it is repeated, and is of the new month then.
create function check_month_is_open() returns trigger language plpgsql as $$
declare
  partner text;
begin
  for partner in select distinct n.partner_id from new_rows n
    where n.posted_at < date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
  loop
    perform pg_advisory_xact_lock_shared(hashtextextended('months:' || partner, 0));
    if exists (select from new_rows n join closed_months c on c.partner_id = n.partner_id
      and c.month = date_trunc('month', n.posted_at at time zone 'UTC')::date where n.partner_id = partner)
    then
      raise exception 'a journal entry of a closed month' using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end
$$;
create trigger journal_entries_month_is_open after insert on journal_entries
  referencing new table as new_rows for each statement execute function check_month_is_open();
