-- Days and months are those of UTC, whatever the time zone of the server. A partition of another time zone ends at the
-- midnight of that zone, and the next one begins there.
create or replace function rotate_impression_partitions(retain_months int) returns int
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  month timestamptz;
  part text;
  dropped int := 0;
begin
  if retain_months < 1 then raise exception 'retain_months must be a positive number of months'; end if;
  perform pg_advisory_xact_lock(hashtextextended('rotate_impression_partitions', 0));
  for month in
    select generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '2 months', '1 month')
  loop
    part := 'impressions_' || to_char(month, 'YYYY_MM');
    if to_regclass(part) is null then
      execute format('create table %I partition of impressions for values from (%L) to (%L)',
        part, impressions_begin_near(month), month + interval '1 month');
      execute format('call enable_tenant_isolation(%L)', part);
    end if;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'impressions'::regclass
      and c.relname < 'impressions_' || to_char(now() - make_interval(months => retain_months), 'YYYY_MM')
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

-- Returns the end of the partition that ends within a day of `month`, or `month` when there is none.
create function impressions_begin_near(month timestamptz) returns timestamptz language sql stable as $$
  select coalesce(max(ends), month)
  from (
    select substring(pg_get_expr(c.relpartbound, c.oid) from ' TO \(''(.+)''\)')::timestamptz as ends
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'impressions'::regclass
  ) parts
  where ends between month - interval '1 day' and month + interval '1 day'
$$;
revoke execute on function impressions_begin_near from public;
