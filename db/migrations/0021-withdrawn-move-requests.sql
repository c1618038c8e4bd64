-- A member who deletes the account withdraws the requests for cards of other programs. What an owner was asked and has
-- decided is kept for its time, without the member and the card: otherwise, a requester who deletes the account and joins
-- again could ask the same owner again at once.
alter table card_move_requests alter column to_member drop not null, alter column card drop not null;

create function withdraw_card_move_requests(member bigint) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from card_move_requests
    where to_partner = current_partner() and to_member = member and notified_at is null;
  update card_move_requests
    set to_member = null, card = null, expires_at = least(expires_at, now()), done_at = coalesce(done_at, now())
    where to_partner = current_partner() and to_member = member;
end
$$;
revoke execute on function withdraw_card_move_requests from public;
grant execute on function withdraw_card_move_requests to dineback_app;
