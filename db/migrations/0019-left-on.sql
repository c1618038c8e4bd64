-- A restaurant that no longer participates has left on that day, by its own clock. Nothing recorded the day before, so
-- its page was not found, and earlier transactions that the network reported later earned nothing.
create function record_leaving() returns trigger language plpgsql as $$
begin
  if new.participating then
    new.left_on := null;
  else
    new.left_on := coalesce(new.left_on, (now() at time zone new.time_zone)::date);
  end if;
  return new;
end
$$;
create trigger merchants_record_leaving before update of participating on merchants
  for each row when (old.participating is distinct from new.participating) execute function record_leaving();
