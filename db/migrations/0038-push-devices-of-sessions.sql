-- A browser that gets push messages belongs to the session in which it was added, and ends with it: by signing out, from
-- elsewhere, by a new password. A session that ends only because its time is over leaves the browser its messages,
-- which are for members who are not looking; it is then listed by itself.
alter table push_subscriptions
  add column public_id uuid not null unique default gen_random_uuid(),
  -- The public id of the session, which its renewed ids keep; null for one from before this column.
  add column session_id uuid,
  -- "Chrome on Windows", as in the session.
  add column device text not null default '' check (length(device) <= 80);
create index push_subscriptions_by_session on push_subscriptions (session_id) where session_id is not null;

create function end_push_devices() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = old.public_id;
  return null;
end
$$;
create trigger end_push_devices after delete on sessions
  for each row when (old.member_id is not null and old.expires_at > now()) execute function end_push_devices();
