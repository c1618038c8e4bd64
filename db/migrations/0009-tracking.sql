-- What visitors looked at. A month is a table of its own, so that a month that has served its time is dropped at once.
create table impressions (
  id bigint generated always as identity,
  partner_id text not null references partners,
  received_at timestamptz not null default now(),
  -- By the visitor's clock; only ever told, never relied on.
  happened_at timestamptz not null,
  event_name text not null check (length(event_name) between 1 and 40),
  -- From the session; what a visitor claims to be is not kept.
  member_id bigint,
  merchant_id text check (length(merchant_id) <= 120),
  url text not null check (length(url) <= 300),
  user_agent text not null check (length(user_agent) <= 200),
  primary key (received_at, id)
) partition by range (received_at);
call build_wall('impressions');
grant select, insert on impressions to dineback_app;

-- Makes the months that are coming and drops those older than `keep` months. The application may not make or drop
-- tables; it may ask for this.
create function turn_impressions_over(keep int) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date;
  part text;
  dropped int := 0;
begin
  if keep < 1 then raise exception 'keep must be a positive number of months'; end if;
  perform pg_advisory_xact_lock(hashtextextended('turn_impressions_over', 0));
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', '1 month')::date
  loop
    part := 'impressions_' || to_char(month, 'YYYY_MM');
    if to_regclass(part) is null then
      execute format('create table %I partition of impressions for values from (%L) to (%L)',
        part, month, (month + interval '1 month')::date);
      execute format('call build_wall(%L)', part);
    end if;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'impressions'::regclass
      and c.relname < 'impressions_' || to_char(now() - make_interval(months => keep), 'YYYY_MM')
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke execute on function turn_impressions_over from public;
grant execute on function turn_impressions_over to dineback_app;
select turn_impressions_over(13);
