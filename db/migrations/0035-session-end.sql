-- Every process hears, once it is committed, that a member's session or an emulation has ended: streams that were opened
-- with it are closed. The payload names the hashes of its present and its previous id.
create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', concat_ws(',', encode(old.id_hash, 'hex'), encode(old.previous_hash, 'hex')));
  return null;
end
$$;
create trigger announce_end after delete on sessions
  for each row when (old.member_id is not null) execute function announce_session_end();

create function announce_emulation_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', encode(new.session_hash, 'hex'));
  return null;
end
$$;
create trigger announce_end after update on emulations
  for each row when (old.ended_at is null and new.ended_at is not null and new.session_hash is not null)
  execute function announce_emulation_end();
