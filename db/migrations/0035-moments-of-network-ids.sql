-- The moment from which a network id is a restaurant's. On the day on which an id passed to another restaurant, every
-- transaction was the new one's, also those from before. Null where only the day is known: it counts whole.
alter table merchant_network_ids add column since_at timestamptz;

-- As before; a restaurant that is added with an id that another one has had has it from now on, not from ever.
create or replace function record_network_id() returns trigger language plpgsql as $$
declare
  today date := (now() at time zone new.time_zone)::date;
  is_first boolean := tg_op = 'INSERT' and not exists (select from merchant_network_ids
    where network_id = new.network_location_id and merchant_id <> new.id);
begin
  if tg_op = 'UPDATE' then
    update merchant_network_ids set until = today + 1
      where network_id = old.network_location_id and merchant_id = old.id and until is null;
  end if;
  insert into merchant_network_ids (network_id, merchant_id, since, since_at)
    values (new.network_location_id, new.id, case when is_first then date '2000-01-01' else today end,
      case when is_first then null else now() end)
    on conflict (network_id, merchant_id, since) do update set until = null;
  return null;
end
$$;
