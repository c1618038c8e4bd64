-- A request to change a member's email address has both addresses. They are forgotten when it is decided, and with the
-- account.
create function forget_requested_address() returns trigger language plpgsql as $$
begin
  new.payload := new.payload - 'email' - 'asked';
  return new;
end
$$;
create trigger forget_requested_address before update of state on console.approvals
  for each row when (old.kind = 'email' and new.state <> 'open') execute function forget_requested_address();

create function forget_requested_addresses_of_member() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update console.approvals set payload = payload - 'email' - 'asked'
    where partner_id = new.partner_id and member_id = new.id and kind = 'email';
  return null;
end
$$;
revoke execute on function forget_requested_addresses_of_member from public;
create trigger forget_requested_addresses after update of deleted_at on members
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function forget_requested_addresses_of_member();

-- What an operator gave by attaching meals to cards within the last day counts toward what one does alone.
create index acts_of_attaching on console.acts (partner_id, at) where action = 'attachTransaction';
