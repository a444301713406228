// Takes the token out of the address and puts it into a cookie that no script can read; then goes on to the game.
"use strict";
const token = location.hash.slice(1);
history.replaceState(null, "", "/join");
fetch("/api/join", { method: "POST", headers: { Authorization: "Bearer " + token } })
  .then((response) => response.json())
  .then((answer) => {
    if (answer.error) document.getElementById("said").textContent = answer.error.message;
    else location.replace("/g/" + answer.game);
  });
