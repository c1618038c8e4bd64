-- The mailbox that a code was sent to: it proves this address, and no other one that the member may have since.
alter table recoveries add column email text check (length(email) <= 254);
-- Open codes end when the address changes, so that those that are open were sent to the present one.
update recoveries r set email = m.email from members m where m.id = r.member_id and r.expires_at > now();
